import { serveTasks } from '#threads';
import { compileRequest } from './compile-request';

serveTasks(compileRequest);
