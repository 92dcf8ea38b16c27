import { gzipSync } from 'node:zlib';

/** Submits a document and waits until queries show it. Throws an error if the service rejects it or the wait times out. */
export async function submitAndWait(
  url: string,
  certname: string,
  command: string,
  version: number,
  payload: unknown,
): Promise<void> {
  const parameters = { command, version: String(version), certname, secondsToWaitForCompletion: '60' };
  const answer = await fetch(`${url}/pdb/cmd/v1?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(payload)),
  });
  const body = (await answer.json()) as { error?: string; timed_out?: boolean };
  if (body.error !== undefined || body.timed_out !== false) throw new Error(JSON.stringify(body));
}
