export const jsonType = 'application/json;charset=utf-8';

/** What a reply is used for here, whatever server stands behind it. */
export interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}
