/**
 * Clients in Go. The suite does not build them: a variable names the program of each. Without the variable, the suite
 * sends the same requests as the source of the client.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports';
import { type RunningProgram, startProgram } from './running-program';
import type { Store } from './store';

/** The exporter of camptocamp, in the form of its last commit (December 2020). */
export const exporterProgram = process.env['NODELEDGER_TEST_PUPPETDB_EXPORTER'];
/** The exporter of Vox Pupuli, 1.7. */
export const openvoxviewProgram = process.env['NODELEDGER_TEST_OPENVOXVIEW'];

export async function startExporter({ tlsPort, ca, certificate, folder }: Store): Promise<RunningProgram> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}/metrics`;
  return startProgram({
    program: exporterProgram ?? '',
    // The flag has the opposite meaning of its name: with it, the exporter verifies the certificate.
    args: ['--ssl-skip-verify', '--unreported-node', '1000000h', '--listen-address', `127.0.0.1:${port}`],
    cwd: folder,
    env: {
      PUPPETDB_URL: `https://localhost:${tlsPort}/pdb/query`,
      PUPPETDB_CERT_FILE: certificate.cert,
      PUPPETDB_KEY_FILE: certificate.key,
      PUPPETDB_CA_FILE: ca,
    },
    url,
  });
}

export async function startOpenvoxview({ tlsPort, ca, certificate, folder }: Store): Promise<RunningProgram> {
  const [port = 0] = await freePorts(1);
  const own = join(folder, 'openvoxview');
  await mkdir(own, { recursive: true });
  const config = {
    listen: '127.0.0.1',
    port,
    puppetdb: {
      ...{ host: 'localhost', port: tlsPort, tls: true, tls_ca: ca },
      ...{ tls_cert: certificate.cert, tls_key: certificate.key },
    },
    views: [{ name: 'Inventory', facts: [{ name: 'OS', fact: 'os.name' }] }],
  };
  // JSON is also valid YAML.
  await writeFile(join(own, 'config.yaml'), JSON.stringify(config));
  const url = `http://127.0.0.1:${port}/api/v1/version`;
  const started = await startProgram({
    program: openvoxviewProgram ?? '',
    args: ['-config', join(own, 'config.yaml')],
    cwd: own,
    env: { GIN_MODE: 'release' },
    url,
  });
  return { ...started, url: `http://127.0.0.1:${port}/api/v1` };
}

/** In Go's HTTP client, a GET may have a content type and no body. */
export function ask<T>({ tlsPort, ca, certificate }: Store, path: string, body?: unknown): Promise<T> {
  const { cert, key } = certificate;
  const tls = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
  const headers = { 'content-type': 'application/json; charset=UTF-8', 'user-agent': 'Go-http-client/1.1' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(`https://localhost:${tlsPort}${path}`, { ...tls, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${answer.statusCode} ${text}`));
      });
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
