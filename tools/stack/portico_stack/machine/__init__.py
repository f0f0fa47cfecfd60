"""What the machine has: programs, processor, ports, names with certificates, files for one owner."""
