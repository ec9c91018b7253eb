"""When and in what order: one file a flow, and the command line."""
