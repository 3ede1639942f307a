// Command serve runs the demo shop until it is interrupted.
//
// The first line on standard output is "listening on http://HOST:PORT".
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/actionregistry/action/testdata/shop"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "serve:", err)
		}
		stop()
		os.Exit(2)
	}
}

// run serves until ctx ends, or with -until-eof until stdin does: so a shop
// never outlives the script that started it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on; port 0 takes a free one")
	untilEOF := flags.Bool("until-eof", false, "end when standard input does")
	delay := flags.Duration("delay", shop.DefaultDelay, "time that slow answers take; less than zero for none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "listening on http://%s\n", l.Addr())

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if *untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, stdin)
			cancel()
		}()
	}
	srv := &http.Server{Handler: shop.Handler(shop.Options{Delay: *delay}), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return srv.Close()
	}
}
