"""Kubernetes manifests generated from the topology: ``make gen`` writes ``deploy/kubernetes``."""
