"""SQL as text files: schema/ (numbered), views/, checks/ (audits) and queries/ (named questions)."""
