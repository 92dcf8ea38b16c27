export { answerBytes, answerStream, answerText, clientGone, clientReading, type ClientReading } from './answer-stream';
export { clientAddress } from './client-address';
export { roomToInflate } from './body-room';
export type { FastifyInstance, FastifyReply, FastifyRequest } from './fastify';
export { answerFault, codeHeader, jsonType, textType, type AnswerHints, type FaultAnswer } from './fault-answer';
export { FaultFilter, type FaultExplanation, type FaultReport } from './fault.filter';
export { acceptsJson, requireJsonAccepted, requireJsonContent } from './media-types';
export { type BodyLimit, openHttp, HttpServer, type HttpOptions, type Listener } from './open-http';
export { requestBody } from './request-body';
