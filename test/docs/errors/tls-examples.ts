import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Access, Allowlist, Gate, joinGrants } from '#access';
import { openHttp } from '#http';
import { checkIssued, readTlsFiles, ServerTls, type TlsFiles } from '#tls';
import { copySslFiles } from '../../../apps/cli/ssl-setup/copy-ssl-files';
import { findSslFiles } from '../../../apps/cli/ssl-setup/find-ssl-files';
import { Authority, type Issued } from '../../support/certificates';
import { type Example, refusal } from './example';
import { type Answer, checked, sendBytes } from './http-client';
import { ProbeModule } from './little-service';

/** Causes the errors about the files of HTTPS, and those for clients whose certificates are not accepted. */
export async function tlsExamples(): Promise<Example[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-page-'));
  const authority = Authority.make('Example CA');
  try {
    return [...(await ofFiles(folder, authority)), ...(await ofClients(folder, authority))];
  } finally {
    authority.remove();
    await rm(folder, { recursive: true });
  }
}

async function ofFiles(folder: string, authority: Authority): Promise<Example[]> {
  const path = (name: string): string => join(folder, name);
  await mkdir(path('ssl'));
  const own = authority.issue('db.example.com');
  const good: TlsFiles = { cert: path('cert.pem'), key: path('key.pem'), ca: path('ca.pem'), crl: path('crl.pem') };
  const write = async (name: string, text: string | Buffer): Promise<void> => writeFile(path(name), text);
  await write('cert.pem', await readFile(own.cert));
  await write('key.pem', await readFile(own.key));
  await write('ca.pem', authority.certificate);
  await write('crl.pem', authority.revocationList());
  await write('other.key', await readFile(authority.issue('other').key));
  await write('empty.pem', '');
  await write('ssl/cert.pem', 'another');
  const start = (change: string): string => `npm start, ${change}`;
  const read = (over: Partial<TlsFiles>, now?: number) => () => readTlsFiles({ ...good, ...over }, now);
  const material = await readTlsFiles(good);
  const stranger = Authority.make('Another CA');
  await write('stranger.pem', stranger.certificate);
  stranger.remove();
  return [
    await refusal('tls.file', start('with NODELEDGER_TLS_CRL=old.pem'), read({ crl: path('old.pem') })),
    await refusal('tls.certificate', start('with NODELEDGER_TLS_CERT=key.pem'), read({ cert: good.key })),
    await refusal('tls.key', start('with NODELEDGER_TLS_KEY=cert.pem'), read({ key: good.cert })),
    await refusal('tls.key-mismatch', start('with the key of another name'), read({ key: path('other.key') })),
    await refusal('tls.expired', start('a year late'), read({}, Date.parse(material.certificate.validTo))),
    await refusal('tls.not-yet-valid', start('with a clock that is behind'), read({}, 0)),
    await refusal('tls.authority', start('with NODELEDGER_TLS_CA=empty.pem'), read({ ca: path('empty.pem') })),
    await refusal('tls.revocation-list', start('with NODELEDGER_TLS_CRL=ca.pem'), read({ crl: good.ca })),
    await refusal(
      'tls.issuer',
      'nodeledger ssl-setup --ssldir ssl, with the ca.pem of another installation',
      async () => {
        const files = { ...good, ca: path('stranger.pem') };
        checkIssued(files, await readTlsFiles({ cert: files.cert, key: files.key, ca: files.ca }));
      },
    ),
    await refusal('cli.ssl-source', 'nodeledger ssl-setup --ssldir ssl', () => findSslFiles(path('none'), 'db')),
    await refusal('cli.ssl-exists', 'nodeledger ssl-setup, where a certificate is already', () =>
      copySslFiles(good, path('ssl')),
    ),
  ];
}

async function ofClients(folder: string, authority: Authority): Promise<Example[]> {
  const own = authority.issue('db.example.com');
  const ca = join(folder, 'ca.pem');
  const tls = await ServerTls.open({ ...own, ca });
  const allowlist = Allowlist.parse('puppet.example.com\n');
  const gate = new Gate({ access: new Access(() => joinGrants(undefined, allowlist)) });
  const server = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0, tls }],
    maxBodyBytes: 1_000,
    authorize: (request) => gate.check(request),
  });
  const port = Number(new URL(server.urls[0] ?? '').port);
  const get = async (client?: Issued): Promise<Answer> => {
    const certificate =
      client === undefined ? {} : { cert: await readFile(client.cert), key: await readFile(client.key) };
    const options = { host: '127.0.0.1', port, servername: 'localhost', ca: await readFile(ca), ...certificate };
    const socket = connect(options);
    await once(socket, 'secureConnect');
    return sendBytes(socket, 'GET /probe/body HTTP/1.1\r\nhost: db.example.com\r\nconnection: close\r\n\r\n');
  };
  const given = 'GET https://db.example.com:8081/pdb/query/v4/nodes';
  try {
    return [
      checked('http.client-certificate', `${given}\nwithout a certificate`, await get()),
      checked('http.not-listed', `${given}\nwith a certificate of web1`, await get(authority.issue('web1'))),
    ];
  } finally {
    await server.close();
  }
}
