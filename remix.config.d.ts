declare const options: import('@remix-run/dev').VitePluginConfig;
export default options;
