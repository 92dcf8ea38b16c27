import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { OpenRequests } from './open-requests';

test('a connection may have 20 requests under way, and any number one after the other', () => {
  const open = new OpenRequests();
  const socket = new Socket();
  const answers: ServerResponse[] = [];
  const handle = open.kept((_, answer) => answers.push(answer));
  const ask = (): void => {
    const request = new IncomingMessage(socket);
    handle(request, new ServerResponse(request));
  };
  for (let count = 0; count < 50; count++) {
    ask();
    expect(open.isBusy(socket)).toBe(true);
    answers.pop()!.emit('close');
    expect(open.isBusy(socket)).toBe(false);
  }
  for (let count = 0; count < 20; count++) ask();
  expect([answers.length, socket.destroyed]).toEqual([20, false]);
  ask();
  expect([answers.length, socket.destroyed]).toEqual([20, true]);
});
