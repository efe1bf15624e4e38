import { readFileSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { missingBuild } from '../platform/native-libraries.ts';
import { embed, rerank, type ModelSession } from './model-session.ts';
import type {
  CheckedFile,
  CheckedFiles,
  Job,
  WorkerReply,
  WorkerRequest,
  WorkerSettings,
} from './worker-messages.ts';

// A session blocks the event loop while it computes, so it runs in a thread of its own.
const port = parentPort;
if (!port) throw new Error('the inference worker is started by inference.ts');
const { threads } = workerData as WorkerSettings; // set by worker-thread.ts
const sessions = new Map<string, Promise<ModelSession>>();
const reply = (message: WorkerReply) => port.postMessage(message);
const unanswered = new Set<Promise<void>>();

port.on('message', (request: WorkerRequest) => {
  if (request.kind === 'stop') return void stop();
  const answered = answer(request).finally(() => unanswered.delete(answered));
  unanswered.add(answered);
});

/** Native code that runs for an ended thread aborts the process, so the thread ends itself, between jobs. */
async function stop(): Promise<void> {
  await Promise.all(unanswered);
  for (const loaded of sessions.values()) await loaded.then(({ session }) => session.release());
  port?.close();
}

async function answer(request: Job): Promise<void> {
  const { ticket, files, maxTokens } = request;
  const failed = (stage: 'load' | 'run') => (error: unknown) => {
    reply({ kind: 'failed', ticket, stage, message: error instanceof Error ? error.message : String(error) });
    return null;
  };
  // A short text gains nothing from a second thread and waits for it: a query in both embedders has a p95 of 13 ms with
  // one thread and 24 ms with two.
  const model = await modelOf(files, request.kind === 'embed' ? 1 : threads).catch(failed('load'));
  if (!model) return;
  const computed = await (
    request.kind === 'embed'
      ? embed(model, request.text, maxTokens, request.pooling, request.withTokens)
      : rerank(model, request.query, request.passages, maxTokens).then((values) => ({ values, tokens: null }))
  ).catch(failed('run'));
  if (computed) reply({ kind: 'done', ticket, ...computed });
}

function modelOf(files: CheckedFiles, intraOpNumThreads: number): Promise<ModelSession> {
  const loaded = sessions.get(files.key);
  if (loaded) return loaded;
  const loading = load(files, intraOpNumThreads);
  sessions.set(files.key, loading);
  loading.catch(() => sessions.delete(files.key));
  return loading;
}

async function load(files: CheckedFiles, intraOpNumThreads: number): Promise<ModelSession> {
  const start = performance.now();
  // Native code reads the environment of the process, not this thread's copy, so here it can only be checked.
  if (process.env.ORT_DISABLE_TELEMETRY !== '1')
    throw new Error('onnxruntime must not be loaded with its telemetry on');
  const missing = missingBuild('onnxruntime-node');
  if (missing !== null) throw new Error(missing);
  assertUnchanged(files.weights);
  assertUnchanged(files.tokenizer);
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(files.tokenizer.path, 'utf8')), {});
  const session = await InferenceSession.create(files.weights.path, {
    intraOpNumThreads,
    interOpNumThreads: 1,
    // The arena keeps the largest batch it ever saw: 60 to 110 MB after one rerank, to gain a sixth of its
    // time at best and nothing for embedding.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  reply({ kind: 'loaded', key: files.key, ms: performance.now() - start });
  return { session, tokenizer, newTensor: (values, dims) => new Tensor('int64', values, dims) };
}

/** The hashes were checked when the files were found; files replaced since then were not. */
function assertUnchanged({ path, bytes, mtimeMs }: CheckedFile): void {
  const now = statSync(path);
  if (now.size !== bytes || now.mtimeMs !== mtimeMs)
    throw new Error(`${path} was changed after it was checked`);
}
