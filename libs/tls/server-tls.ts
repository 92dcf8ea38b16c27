import type { Server, TLSSocket, TlsOptions } from 'node:tls';
import { Fault } from '#fault';
import { isTrusted, type Peer, peerOf, type Trust, trustOf } from './peer';
import { readTlsFiles, type TlsFiles, type TlsMaterial } from './read-tls-files';
import { refusedClient } from './refused-client';

/**
 * When the files change, new connections use the new files. Open connections stay open, unless the server would now
 * refuse their client.
 */
export class ServerTls {
  private readonly servers = new Set<Server>();
  private readonly peers = new Map<TLSSocket, Peer>();
  private trust: Trust;

  private constructor(
    private readonly files: TlsFiles,
    private current: TlsMaterial,
    private readonly withoutCertificate: boolean,
  ) {
    this.trust = trustOf(current);
  }

  static async open(files: TlsFiles, { withoutCertificate = false } = {}): Promise<ServerTls> {
    return new ServerTls(files, await readTlsFiles(files), withoutCertificate);
  }

  get material(): TlsMaterial {
    return this.current;
  }

  /**
   * The handshake accepts every client. `refusal` is called afterwards, so that a refused client gets an answer with
   * the reason.
   */
  get options(): TlsOptions {
    return { ...this.current.options, requestCert: true, rejectUnauthorized: false };
  }

  attach(server: Server): void {
    this.servers.add(server);
    server.once('close', () => this.servers.delete(server));
  }

  /** Returns undefined for an accepted client, and remembers the client for `dropUntrusted`. */
  refusal(socket: TLSSocket): Fault | undefined {
    if (this.withoutCertificate && socket.getPeerX509Certificate() === undefined) return undefined;
    if (!socket.authorized) return refusedClient(socket);
    const peer = peerOf(socket);
    // The handshake may have verified the client with the previous files.
    if (!isTrusted(peer, this.trust, Date.now())) return refusedClient(socket, 'CERT_REVOKED');
    this.peers.set(socket, peer);
    socket.once('close', () => this.peers.delete(socket));
    return undefined;
  }

  /**
   * Returns whether the files have changed. If the new files are invalid, throws, and the previous files stay in use.
   */
  async reload(): Promise<boolean> {
    const read = await readTlsFiles(this.files);
    if (read.digest === this.current.digest) return false;
    this.current = read;
    this.trust = trustOf(read);
    for (const server of this.servers) server.setSecureContext(read.options);
    this.dropUntrusted();
    return true;
  }

  dropUntrusted(now = Date.now()): void {
    for (const [socket, peer] of this.peers) if (!isTrusted(peer, this.trust, now)) socket.destroy();
  }
}
