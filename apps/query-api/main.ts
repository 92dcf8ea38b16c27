import '#check-node';
import 'reflect-metadata';
import { runService } from '../server/run-service';

runService(new Set(['read']));
