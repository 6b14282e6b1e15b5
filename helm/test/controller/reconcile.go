// Package controller runs the decisions of docs/capacity.md through the real HorizontalPodAutoscaler controller.
package controller

import (
	"context"
	_ "unsafe" // for go:linkname

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// One look of the controller at one autoscaler, which its package keeps to itself.
//
//go:linkname reconcile k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).reconcileAutoscaler
func reconcile(a *podautoscaler.HorizontalController, ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, key string) error
