export const jsonType = 'application/json;charset=utf-8';

/** The methods of a reply that the routes call, declared without Fastify. */
export interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}
