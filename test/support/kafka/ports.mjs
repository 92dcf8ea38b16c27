import { createServer } from 'node:net';

/** Throws if a port is in use. Otherwise the server on it would be mistaken for the broker. */
export async function demandFree(ports) {
  for (const port of ports) {
    await new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', (error) =>
        reject(
          error.code === 'EADDRINUSE'
            ? new Error(`port ${port} of 127.0.0.1 is in use; name another by --port (and --controller-port)`)
            : error,
        ),
      );
      server.listen(port, '127.0.0.1', () => server.close(resolve));
    });
  }
}
