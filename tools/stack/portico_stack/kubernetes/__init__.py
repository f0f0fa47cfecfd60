"""What runs on Kubernetes, made from the topology: ``make gen`` writes ``deploy/kubernetes``."""
