import type { ApiContext } from '#openapi';

export type ApiOptions = Omit<ApiContext, 'examples'>;

export const API_OPTIONS = Symbol('ApiOptions');
