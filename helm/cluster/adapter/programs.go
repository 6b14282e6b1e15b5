//go:build tools

// Package adapter pins prometheus-adapter, which is of an older Kubernetes than the cluster's and so has a module of its own.
package adapter

import _ "sigs.k8s.io/prometheus-adapter/cmd/adapter"
