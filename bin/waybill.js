#!/usr/bin/env node
// Runs the command line with a Node that can: this one where it is new enough, else the one npm installed beside it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommand } from './start-command.js';

const main = new URL('../src/cli/main.ts', import.meta.url);
const compileCache = new URL('../src/compile-cache.js', import.meta.url);
const neededMajor = 24;

const newEnough = Number.parseInt(process.versions.node, 10) >= neededMajor;
const serves = process.argv[2] === 'serve';
if (newEnough && !serves) {
  await import(compileCache.href);
  await import(main.href);
} else {
  runWith(newEnough ? process.execPath : installedNode());
}

function installedNode() {
  try {
    const file = createRequire(import.meta.url).resolve('node/package.json');
    return join(dirname(file), 'bin', 'node');
  } catch {
    console.error(
      `waybill: Node ${neededMajor} is needed, and this is ${process.version}: install it, or run npm ci`,
    );
    process.exit(1);
  }
}

function runWith(node) {
  const { env, flags } = serves ? startCommand() : { env: {}, flags: [] };
  const child = spawn(node, [...flags, fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...env, ...process.env },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  child.on('error', (error) => {
    console.error(`waybill: ${node} does not run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    for (const each of signals) process.off(each, pass);
    if (signal === null) process.exit(code);
    else process.kill(process.pid, signal);
  });
}
