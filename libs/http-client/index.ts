export { type Answer, HttpConnection, type HttpConnectionOptions, type HttpRequest } from './http-connection';
