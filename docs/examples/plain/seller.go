package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

var (
	port        = orElse("PORT", "8601")
	facilitator string
	// The one way to pay. It is what the facilitator is asked about, whatever a buyer says that it accepted.
	terms object
	// Payments that were sold for or are being sold for: each buys once. Where you run several processes, a table with a unique key.
	taken sync.Map
	// Those whose settlement was asked for and has no outcome yet: once it is settled, `verify` would call it used.
	underWay sync.Map

	client      = http.Client{Timeout: 90 * time.Second}
	errNotKnown = errors.New("the facilitator does not say yes or no")
)

func orElse(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func asHeader(value any) string {
	text, _ := json.Marshal(value)
	return base64.StdEncoding.EncodeToString(text)
}

func send(res http.ResponseWriter, status int, body any) {
	res.Header().Set("content-type", "application/json")
	res.Header().Set("cache-control", "no-store")
	res.WriteHeader(status)
	json.NewEncoder(res).Encode(body)
}

func offer(res http.ResponseWriter, problem any) {
	resource := object{"url": "http://127.0.0.1:" + port + "/tides", "description": "The tides of a port"}
	required := object{"x402Version": 2, "error": problem, "resource": resource, "accepts": []object{terms}}
	res.Header().Set("PAYMENT-REQUIRED", asHeader(required))
	send(res, http.StatusPaymentRequired, required)
}

func ask(verb string, payment json.RawMessage) (object, error) {
	body, _ := json.Marshal(object{"x402Version": 2, "paymentPayload": payment, "paymentRequirements": terms})
	answer, err := client.Post(facilitator+"/"+verb, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, errNotKnown
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests {
		return nil, errNotKnown
	}
	var said object
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		return nil, errNotKnown
	}
	return said, nil
}

// reason is what the facilitator says is wrong.
func reason(said object, name string) any {
	if said[name] != nil {
		return said[name]
	}
	return said["message"]
}

// sell answers with what was paid for; it says whether the payment was spent.
func sell(res http.ResponseWriter, payment json.RawMessage, key string) (bool, error) {
	if _, known := underWay.Load(key); !known {
		verdict, err := ask("verify", payment)
		if err != nil {
			return false, err
		}
		if verdict["isValid"] != true {
			offer(res, reason(verdict, "invalidReason"))
			return false, nil
		}
	}
	goods := object{"port": "Dover", "high": []string{"04:12", "16:40"}, "low": []string{"10:25", "22:51"}}
	underWay.Store(key, true)
	settled, err := ask("settle", payment)
	if err != nil {
		return false, err
	}
	if settled["errorReason"] == "settlement_pending" {
		return false, errNotKnown
	}
	underWay.Delete(key)
	if settled["success"] != true {
		offer(res, reason(settled, "errorReason"))
		return false, nil
	}
	res.Header().Set("PAYMENT-RESPONSE", asHeader(settled))
	send(res, http.StatusOK, goods)
	return true, nil
}

// keyOf names a payment by its payer and nonce. It reads a map: a struct would also read a member "Payload" or "Nonce",
// which the facilitator ignores, and one payment would have as many keys as its buyer likes.
func keyOf(payment []byte) string {
	var read object
	if json.Unmarshal(payment, &read) != nil {
		return ""
	}
	payload, _ := read["payload"].(object)
	authorization, _ := payload["authorization"].(object)
	from, _ := authorization["from"].(string)
	nonce, _ := authorization["nonce"].(string)
	if from == "" || nonce == "" {
		return ""
	}
	return strings.ToLower(from + " " + nonce)
}

func tides(res http.ResponseWriter, req *http.Request) {
	header := req.Header.Get("PAYMENT-SIGNATURE")
	if header == "" {
		offer(res, "payment required")
		return
	}
	payment, err := base64.StdEncoding.DecodeString(header)
	key := keyOf(payment)
	if err != nil || key == "" {
		send(res, http.StatusBadRequest, object{"error": "PAYMENT-SIGNATURE is no payment"})
		return
	}
	if _, was := taken.LoadOrStore(key, true); was {
		offer(res, "this payment was used")
		return
	}
	isSold, err := sell(res, payment, key)
	if !isSold {
		taken.Delete(key)
	}
	if err != nil {
		res.Header().Set("retry-after", "2")
		send(res, http.StatusServiceUnavailable, object{"error": "the payment is not known yet: present the same one again"})
	}
}

func main() {
	text, err := os.ReadFile(orElse("CALLBOARD_DEVNET", ".callboard/devnet.json"))
	if err != nil {
		log.Fatal(err)
	}
	var devnet struct {
		FacilitatorUrl, Network string
		Usdc                    struct{ Address, Name, Version string }
	}
	if err := json.Unmarshal(text, &devnet); err != nil {
		log.Fatal(err)
	}
	payTo := os.Getenv("PAY_TO")
	if payTo == "" {
		log.Fatal("PAY_TO is the address of your splitter: provider.ts splitter")
	}
	facilitator = devnet.FacilitatorUrl
	terms = object{
		"scheme": "exact", "network": devnet.Network, "asset": devnet.Usdc.Address, "amount": "20000",
		"payTo": payTo, "maxTimeoutSeconds": 60,
		"extra": object{"name": devnet.Usdc.Name, "version": devnet.Usdc.Version, "assetTransferMethod": "eip3009"},
	}
	http.HandleFunc("GET /tides", tides)
	fmt.Printf("http://127.0.0.1:%s/tides is sold\n", port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
