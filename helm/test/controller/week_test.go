package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// Of the trace that helm/test/controller.test.ts writes.
type look struct {
	Ready    int                `json:"ready"`
	Starting int                `json:"starting"`
	Measures map[string]float64 `json:"measures"`
	Decided  int32              `json:"decided"`
}

type trace struct {
	Hpa      autoscalingv2.HorizontalPodAutoscaler `json:"hpa"`
	Requests map[string]string                     `json:"requests"`
	Looks    []look                                `json:"looks"`
}

const lookEvery = 15 * time.Second

// What the cluster's metrics answer: resources by pod, in thousandths, and work as one number.
type answers struct {
	now      look
	requests map[string]string
}

func (a *answers) GetResourceMetric(_ context.Context, name corev1.ResourceName, _ string, _ labels.Selector, _ string) (metrics.PodMetricsInfo, time.Time, error) {
	request := resource.MustParse(a.requests[string(name)])
	each := int64(a.now.Measures[string(name)] / 100 * float64(request.MilliValue()))
	info := metrics.PodMetricsInfo{}
	for at := range a.now.Ready {
		info[fmt.Sprintf("ready-%d", at)] = metrics.PodMetric{Timestamp: time.Now(), Window: time.Minute, Value: each}
	}
	return info, time.Now(), nil
}

func (a *answers) GetExternalMetric(name string, _ string, _ labels.Selector) ([]int64, time.Time, error) {
	return []int64{int64(a.now.Measures[name] * 1000)}, time.Now(), nil
}

func (a *answers) GetRawMetric(string, string, labels.Selector, labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return nil, time.Time{}, fmt.Errorf("no metric of pods is asked for")
}

func (a *answers) GetObjectMetric(string, string, *autoscalingv2.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	return 0, time.Time{}, fmt.Errorf("no metric of objects is asked for")
}

func pod(name string, ready bool, requests map[string]string) *corev1.Pod {
	list := corev1.ResourceList{}
	for name, text := range requests {
		list[corev1.ResourceName(name)] = resource.MustParse(text)
	}
	one := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "market", Labels: map[string]string{"app": "x"}}}
	one.Spec.Containers = []corev1.Container{{Name: "x", Resources: corev1.ResourceRequirements{Requests: list}}}
	one.Status.Phase = corev1.PodPending
	if ready {
		started := metav1.NewTime(time.Now().Add(-time.Hour))
		one.Status.Phase = corev1.PodRunning
		one.Status.StartTime = &started
		one.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started}}
	}
	return one
}

func fill(pods cache.Store, now look, requests map[string]string) error {
	all := []interface{}{}
	for at := range now.Ready {
		all = append(all, pod(fmt.Sprintf("ready-%d", at), true, requests))
	}
	for at := range now.Starting {
		all = append(all, pod(fmt.Sprintf("starting-%d", at), false, requests))
	}
	return pods.Replace(all, "")
}

func TestWeek(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("TRACES"))
	if err != nil {
		t.Fatal(err)
	}
	traces := map[string]trace{}
	if err := json.Unmarshal(text, &traces); err != nil {
		t.Fatal(err)
	}
	for target, one := range traces {
		t.Run(target, func(t *testing.T) { follow(t, one) })
	}
}

func follow(t *testing.T, one trace) {
	hpa := &one.Hpa
	defaults.SetObjectDefaults_HorizontalPodAutoscaler(hpa)
	clients := fake.NewClientset(hpa)
	scales := &scalefake.FakeScaleClient{}
	var replicas, wanted int32
	scales.AddReactor("get", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
		meta := metav1.ObjectMeta{Name: hpa.Spec.ScaleTargetRef.Name, Namespace: "market"}
		status := autoscalingv1.ScaleStatus{Replicas: replicas, Selector: "app=x"}
		return true, &autoscalingv1.Scale{ObjectMeta: meta, Spec: autoscalingv1.ScaleSpec{Replicas: replicas}, Status: status}, nil
	})
	scales.AddReactor("update", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		scale := action.(clienttesting.UpdateAction).GetObject().(*autoscalingv1.Scale)
		wanted = scale.Spec.Replicas
		return true, scale, nil
	})
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Group: "apps", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, meta.RESTScopeNamespace)
	shared := informers.NewSharedInformerFactory(clients, 0)
	pods := shared.Core().V1().Pods()
	seen := &answers{requests: one.Requests}
	// The defaults of kube-controller-manager.
	controller := podautoscaler.NewHorizontalController(t.Context(), clients.CoreV1(), scales, clients.AutoscalingV2(), mapper, seen,
		shared.Autoscaling().V2().HorizontalPodAutoscalers(), pods, lookEvery, 5*time.Minute, 0.1, 5*time.Minute, 30*time.Second)
	synctest.Test(t, func(t *testing.T) {
		scaled := 0
		for at, now := range one.Looks {
			seen.now = now
			replicas = int32(now.Ready + now.Starting)
			wanted = replicas
			if err := fill(pods.Informer().GetStore(), now, one.Requests); err != nil {
				t.Fatal(err)
			}
			if err := reconcile(controller, t.Context(), hpa, "market/"+hpa.Name); err != nil {
				t.Fatalf("look %d: %v", at, err)
			}
			if wanted != now.Decided {
				t.Fatalf("look %d, %+v: the controller decides %d", at, now, wanted)
			}
			if wanted != replicas {
				scaled++
			}
			time.Sleep(lookEvery)
		}
		t.Logf("%d looks, %d changes: all as on paper", len(one.Looks), scaled)
	})
}
