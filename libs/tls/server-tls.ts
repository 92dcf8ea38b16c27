import type { Server, TLSSocket, TlsOptions } from 'node:tls';
import { Fault } from '#fault';
import { isTrusted, type Peer, peerOf, type Trust, trustOf } from './peer';
import { readTlsFiles, type TlsFiles, type TlsMaterial } from './read-tls-files';
import { refusedClient } from './refused-client';

/**
 * The TLS side of a server whose files may change while it runs. New connections use the files as they were read last;
 * connections that are open stay, except those whose client would not be let in any more.
 */
export class ServerTls {
  private readonly servers = new Set<Server>();
  private readonly peers = new Map<TLSSocket, Peer>();
  private trust: Trust;

  private constructor(
    private readonly files: TlsFiles,
    private current: TlsMaterial,
    /** Whether clients that show no certificate are let in. */
    private readonly withoutCertificate: boolean,
  ) {
    this.trust = trustOf(current);
  }

  /** Faults: those of readTlsFiles. */
  static async open(files: TlsFiles, { withoutCertificate = false } = {}): Promise<ServerTls> {
    return new ServerTls(files, await readTlsFiles(files), withoutCertificate);
  }

  get material(): TlsMaterial {
    return this.current;
  }

  /** Clients are verified by the handshake; `refusal` decides what follows, so that they can be told why. */
  get options(): TlsOptions {
    return { ...this.current.options, requestCert: true, rejectUnauthorized: false };
  }

  /** Has a server use later files, too. */
  attach(server: Server): void {
    this.servers.add(server);
    server.once('close', () => this.servers.delete(server));
  }

  /** Why a connection is not let in; undefined where it is. Fault: `http.client-certificate` (forbidden). */
  refusal(socket: TLSSocket): Fault | undefined {
    if (this.withoutCertificate && socket.getPeerX509Certificate() === undefined) return undefined;
    if (!socket.authorized) return refusedClient(socket);
    const peer = peerOf(socket);
    // The handshake may have begun with earlier files.
    if (!isTrusted(peer, this.trust, Date.now())) return refusedClient(socket, 'CERT_REVOKED');
    this.peers.set(socket, peer);
    socket.once('close', () => this.peers.delete(socket));
    return undefined;
  }

  /** Reads the files again. True where they have changed. Where they have a fault, which it throws, nothing changes. */
  async reload(): Promise<boolean> {
    const read = await readTlsFiles(this.files);
    if (read.digest === this.current.digest) return false;
    this.current = read;
    this.trust = trustOf(read);
    for (const server of this.servers) server.setSecureContext(read.options);
    this.dropUntrusted();
    return true;
  }

  /** Breaks the connections of clients whose certificates have expired or been revoked, or whose authority is gone. */
  dropUntrusted(now = Date.now()): void {
    for (const [socket, peer] of this.peers) if (!isTrusted(peer, this.trust, now)) socket.destroy();
  }
}
