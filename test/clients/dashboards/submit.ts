/** Submits commands one after the other, and waits until queries show them. */
import type { SiteCommand } from './site-commands';

export async function submitAll(url: string, commands: readonly SiteCommand[], token?: string): Promise<void> {
  for (const { command, version, certname, body } of commands) {
    const parameters = new URLSearchParams({
      command: command.replaceAll(' ', '_'),
      version: String(version),
      certname,
    });
    const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=60`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { 'x-authentication': token }),
      },
      body,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${command} of ${certname}: ${answer.status} ${text}`);
  }
}
