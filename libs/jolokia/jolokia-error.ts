import { excerpt } from '#fault';

/** `type` is the name of the error in the Jolokia protocol. */
export class JolokiaError extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 500,
    readonly type: string,
    text: string,
  ) {
    super(excerpt(text));
  }

  get body(): { readonly error_type: string; readonly error: string; readonly status: number } {
    return { error_type: this.type, error: `${this.type} : ${this.message}`, status: this.status };
  }
}

export const illegalArgument = (text: string): JolokiaError =>
  new JolokiaError(400, 'java.lang.IllegalArgumentException', text);
export const instanceNotFound = (text: string): JolokiaError =>
  new JolokiaError(404, 'javax.management.InstanceNotFoundException', text);
export const attributeNotFound = (name: string): JolokiaError =>
  new JolokiaError(404, 'javax.management.AttributeNotFoundException', `No such attribute: ${name}`);
export const forbidden = (text: string): JolokiaError => new JolokiaError(403, 'java.lang.Exception', text);
