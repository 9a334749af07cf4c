/** What the build says of the warehouse's files (`virtual:bodega`), where no build runs: screens are called here without Vite. */
export default { guion: '/bodega.js', estilo: '/bodega.css', lector: '/lector.js', obrero: null };
