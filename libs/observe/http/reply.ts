export const jsonType = 'application/json;charset=utf-8';

/** Methods of a reply that the routes need, independent of Fastify. */
export interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}
