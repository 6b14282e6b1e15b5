// Command etcd is etcd's own server. Its main package lies in a module that no one can require.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
