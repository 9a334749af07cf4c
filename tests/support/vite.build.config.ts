import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig, mergeConfig } from 'vite';
import base from '../../vite.config';
import options from '../../remix.config.js';

/** The product's own build, put where a test run cannot disturb the one that is being served. */
const own = mergeConfig(base, { root: fileURLToPath(new URL('../..', import.meta.url)), logLevel: 'warn' });

export default defineConfig({ ...own, plugins: [remix({ ...options, buildDirectory: process.env.BUILD_DIR ?? '.cache/test-build' })] });
