import { excerpt, Fault } from '#fault';

export const wrongEntry = (name: string, what: string): Fault =>
  new Fault('malformed', 'import.entry', `The entry ${JSON.stringify(excerpt(name))} of the archive ${what}.`, {
    hint: 'The documents before it are stored; nothing of the rest is. A repeat changes nothing that is stored already.',
  });
