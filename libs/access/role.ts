/** `submit-own` allows a client to submit documents only for the node that its certificate names. */
export const roles = ['submit', 'submit-own', 'query', 'metrics', 'admin'] as const;
export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
