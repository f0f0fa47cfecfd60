"""Files of all sources: gzip, JSON and YAML with the line of each object, and objects read as structures."""
