/**
 * The articles of the demo's shop: pieces of the wholesalers' catalogue that the shop sells at the marketplaces, at the price of its rule.
 */

/** A wholesaler that the shop buys an article from. */
export type Mayorista = 'syscom' | 'ct' | 'tvc' | 'ts' | 'cva';

export type Categoria = 'CAMARAS' | 'GRABADORES' | 'REDES' | 'CABLES' | 'ENERGIA' | 'GABINETES' | 'ACCESO';

export type Articulo = {
  /** Number of its piece in the catalogue of the wholesalers. */
  n: number;
  proveedor: Mayorista;
  marca: string;
  modelo: string;
  titulo: string;
  /** Price of the shop in centavos, with VAT. */
  precio: number;
  categoria: Categoria;
  sat: string;
  gramos: number;
  /** Kind of listing at Mercado Libre. */
  tipo: string;
};

/** A line for each article: supplier, brand, model, price with VAT in centavos, category, SAT key, grams, kind of listing, title. */
const EN_MERCADO_LIBRE = `
syscom HIKVISION DS-2CE10DF0T-PF 64900 CAMARAS 46171610 450 gold_special Cámara Bala Exterior 1080p Lente 2.8mm Ir 20m
syscom HIKVISION DS-2CE56D0T-IRPF 48999 CAMARAS 46171610 380 gold_special Cámara Domo 2mp Turbohd Lente 2.8mm Interior Ir 20m
syscom HIKVISION DS-2DE4425IW-DE 1289900 CAMARAS 46171610 2900 gold_pro Cámara Ip Ptz 4mp Zoom 25x Seguimiento Automático De Personas Y Vehículos Exterior Poe+
tvc IMOU IPC-C22EN 79900 CAMARAS 46171610 300 gold_pro Cámara Wifi 360° Audio Bidireccional Visión Nocturna
syscom HIKVISION DS-2CD2087G2-LU 329900 CAMARAS 46171610 800 gold_pro Cámara Bullet Ip 8mp 4k Colorvu Micrófono Integrado
tvc PROVISION TVC-PIN-2MP 89950 CAMARAS 46171610 220 gold_special Cámara Oculta En Detector De Humo "Pinhole" 2mp
cva DAHUA HAC-HDW1500 149900 CAMARAS 46171610 700 gold_special Cámara Turret 5mp Lente Varifocal 2.7-13.5mm Metálica
ts STEREN MC-1080-N 45900 CAMARAS 46171610 120 gold_pro Mini Cámara Espía 1080p Niñera & Mascotas Batería Recargable
syscom HIKVISION IDS-2CD7A46G0-IZHSY 1849900 CAMARAS 46171610 2100 gold_special Cámara Lpr Lectura De Placas 4mp Lente Motorizado 8-32mm Para Estacionamientos Y Casetas De Acceso
syscom EPCOM KIT7204BP 489900 GRABADORES 46171622 5200 gold_pro Kit Cctv 4 Cámaras 1080p Dvr 4 Canales Disco 1tb Listo Para Instalar
tvc SAXXON KIT8-5MP-2TB 969900 GRABADORES 46171622 9800 gold_pro Kit Cctv 8 Cámaras 5mp Dvr 8 Canales Disco 2tb Cables Y Fuente Incluidos Instalación Sencilla
syscom HIKVISION IDS-7204HQHI-M1 189900 GRABADORES 46171621 1500 gold_special Dvr 4 Canales 1080p Lite H.265+ Acusense
tvc DAHUA XVR5108HS 264900 GRABADORES 46171621 1800 gold_special Dvr 8 Canales 5mp Turbohd Pentahíbrido
cva DAHUA XVR1B16 339900 GRABADORES 46171621 2100 gold_special Dvr 16 Canales 1080p | 1 Bahía | Salida Hdmi Y Vga
syscom HIKVISION DS-7616NI-Q2 589900 GRABADORES 46171621 4200 gold_pro Nvr 16 Canales Poe 8mp 4k 2 Bahías De Disco
ct WD WD11PURZ 118900 GRABADORES 43201803 650 gold_special Disco Duro 1tb Videovigilancia Purple 3.5" 24/7
ct SEAGATE ST4000VX016 239900 GRABADORES 43201803 680 gold_special Disco Duro 4tb Videovigilancia Skyhawk 3.5"
ct SANDISK SDSQQNR-128G 38950 GRABADORES 43201803 20 gold_pro Memoria Micro Sd 128gb Alta Resistencia Para Cámaras
ct TP-LINK ARCHER-C50 149900 REDES 43222609 600 gold_pro Router Inalámbrico Doble Banda Ac1200
ct TP-LINK ARCHER-AX53 189900 REDES 43222609 780 gold_pro Router Wifi 6 Ax3000 Gigabit 4 Antenas
ct TP-LINK TL-SG105 49999 REDES 43222612 320 gold_special Switch 5 Puertos Gigabit Metálico No Administrable
cva TP-LINK LS108G 54900 REDES 43222612 420 gold_special Switch 8 Puertos Gigabit Metálico De Escritorio
syscom HIKVISION DS-3E0310P-E/M 219900 REDES 43222612 1300 gold_special Switch Poe+ 8 Puertos 120w + 2 Uplink Gigabit Para Cámaras Ip Hasta 250 Metros Modo Extendido
ts TP-LINK TL-SG3428 499900 REDES 43222612 2900 gold_pro Switch Administrable 24 Puertos Gigabit 4 Sfp Capa 2+
ts TP-LINK EAP610 229900 REDES 43222640 560 gold_special Punto De Acceso Wifi 6 Techo Omada Poe
syscom UBIQUITI LITEBEAM-5AC 159900 REDES 43221706 1100 gold_special Antena Direccional 5ghz 23dbi Enlace 10km
tvc TP-LINK MC-220L 89900 REDES 43222612 400 gold_special Convertidor De Medios Fibra Monomodo A Gigabit Ethernet
cva TP-LINK ARCHER-T2U 32900 REDES 43222640 60 gold_pro Adaptador Usb Wifi Ac600 Antena 5dbi
ts TP-LINK POE150S 41900 REDES 43222612 210 gold_special Inyector Poe 30w Gigabit 802.3at
ts LINKEDPRO SFP-LX20 38900 REDES 43222612 40 gold_special Módulo Sfp Monomodo 1.25g Lc 20km
tvc SAXXON SAXXON-CAT6-305 289900 CABLES 26121609 11800 gold_special Bobina Cable Utp Cat6 305m 100% Cobre Azul Interior
tvc SAXXON OUTP5E-305N 169900 CABLES 26121609 9800 gold_special Bobina Cable Utp Cat5e 305m Cca Exterior Con Gel Negro
syscom VIAKON RG59-SIAM-305 349900 CABLES 26121609 14500 gold_special Bobina Cable Coaxial Siamés Rg59 + 2 Hilos De Alimentación 305 Metros 95% Malla Blanco Para Cctv
tvc SAXXON TVD119001 23900 CABLES 26121609 180 gold_special Conector Rj45 Cat6 Bolsa 100 Piezas
tvc SAXXON TVD119010 1437 CABLES 26121609 10 gold_special Conector Rj45 Cat5e Pasante
ts LINKEDPRO BNC-T10 9999 CABLES 26121609 90 gold_special Conector Bnc Para Cámara Paquete 10 Pzs Tornillo
syscom EPCOM TT-101-F-TURBO 12950 CABLES 26121609 80 gold_special Par De Transceptores Video Balun Hd 8mp
ct INTELLINET PC6-1-AZ 4590 CABLES 26121609 40 gold_special Patch Cord Cat6 1m Azul
ct INTELLINET PC6A-3-GR 13990 CABLES 26121609 110 gold_special Patch Cord Cat6a 3m Blindado Gris
tvc SAXXON KS6-BL 3350 CABLES 26121609 20 gold_special Jack Keystone Cat6 Blanco
ts TEMPO TOOL-RJ45-K 34900 CABLES 26121609 700 gold_pro Pinza Ponchadora Rj45/rj11 C/ Probador De Cables
tvc SAXXON HDMI-EXT-60 62900 CABLES 26121609 350 gold_special Extensor Hdmi Por Cable Utp 60m Con Ir
ct APC BR750 139900 ENERGIA 39121011 5600 gold_special Ups No Break 750va 8 Contactos Regulador
ct CYBERPOWER CP1500PFCLCD 649900 ENERGIA 39121011 11400 gold_pro Ups 1500va 900w Torre Pantalla Lcd Onda Sinusoidal
ts EPCOM EPU3000RTOL 1999900 ENERGIA 39121011 28900 gold_special Ups Online 3kva Rack/torre 120v Bypass Automático Puertos Usb Y Rs232 Factor De Potencia 0.9
syscom EPCOM PL712D12 39900 ENERGIA 39121004 2100 gold_special Batería 12v 7ah Para Alarma Y Ups
syscom EPCOM PL12DC10A9CH 89900 ENERGIA 39121004 1500 gold_special Fuente De Poder 12v 10a Para Cctv 9 Salidas
tvc SAXXON TVN-12V1A 8499 ENERGIA 39121004 110 gold_special Eliminador 12v 1a Regulado Con Cámara Compatible
cva CDP R2C-AVR1008 59900 ENERGIA 39121004 2200 gold_special Regulador De Voltaje 1000va 8 Contactos Supresor
syscom EPCOM SOLAR-50-4G 429900 ENERGIA 39121004 6300 gold_pro Panel Solar 50w Kit Cámara 4g Batería De Litio
tvc SAXXON RACK-24U-P 589000 GABINETES 43222612 48000 gold_special Rack 24U Piso
syscom LINKEDPRO SR-1909-GFP 219900 GABINETES 43222612 14500 gold_special Gabinete De Pared 9u Puerta De Cristal Fondo 450mm
syscom LINKEDPRO CH-1U-19 45900 GABINETES 43222612 1600 gold_special Charola Fija 19" 1u Ventilada
cva CHAROFIL OH-1U 23450 GABINETES 43222612 700 gold_special Organizador Horizontal 1u C/ Tapa Rack 19"
ts PANDUIT PP24-C6 87900 GABINETES 43222612 900 gold_special Panel De Parcheo 24 Puertos Cat6 19"
syscom ACCESSPRO MAG600LED 109900 ACCESO 46171619 2400 gold_special Cerradura Electromagnética 600 Lb Con Led Y Ménsula Zl
syscom HIKVISION K1T804AMF 199900 ACCESO 46171619 480 gold_pro Control De Acceso Biométrico Huella Y Tarjeta Tcp/ip
tvc DAHUA VTK-VTO2211 529900 ACCESO 46171619 1700 gold_pro Videoportero Ip 7" Pantalla Táctil Wifi Apertura Desde El Celular
ts SFIRE SIR-30W 18750 ACCESO 46171604 600 gold_special Sirena 30w Doble Tono 12vdc
cva HIKVISION DS-PDP15P 64990 ACCESO 46171604 160 gold_special Detector De Movimiento Pir Inalámbrico Antimascotas 18 Kg
cva SYSCOM LET-VV-30 7990 ACCESO 46171619 150 gold_special Letrero "Zona Videovigilada" Año 2026 Metálico 30x20cm
tvc COMMAX INT-2H-F 74900 ACCESO 46171619 900 gold_special Interfón Señal Audio 2 Hilos Contrapuerta & Fuente
`;

/** Articles that the shop sells at Amazon alone, in the same form. */
const SOLO_EN_AMAZON = `
syscom HIKVISION DS2CD1043 149900 CAMARAS 46171610 450 gold_special Cámara IP domo 4 MP
ct TP-LINK TL-SG108 84900 REDES 43222612 380 gold_special Switch 8 puertos Gigabit
tvc SAXXON PAT-CAT6-3M 32900 CABLES 26121609 110 gold_special Cable de parcheo Cat6 3 m
ts CYBERPOWER UPS-900 189901 ENERGIA 39121011 6200 gold_special No break 900 VA
cva DAHUA NVR-8CH 412345 GRABADORES 46171621 1900 gold_special Grabador NVR 8 canales
`;

/** The first piece that the shop sells. Its pieces lie behind those that tests buy first. */
const PRIMERA = 1_200;
/** Remainders of fifty of the pieces that some wholesaler tells without price, stock or picture. */
const RARAS = new Set([10, 11, 20, 21, 30, 31, 41, 42, 43, 44, 45, 46, 47, 48]);

/** Numbers of pieces of which every wholesaler tells price, picture, weight and SAT key. */
function* buenas(): Generator<number, never> {
  for (let n = PRIMERA; ; n++) if (!RARAS.has(n % 50) && n % 5 > 0 && n % 6 > 0 && n % 7 > 0) yield n;
}

const numeros = buenas();
const leidos = (rows: string): Articulo[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [proveedor, marca = '', modelo = '', precio, categoria = '', sat = '', gramos, tipo = '', ...titulo] =
        row.split(' ');
      return {
        n: numeros.next().value,
        proveedor: proveedor as Mayorista,
        marca,
        modelo,
        titulo: titulo.join(' '),
        precio: Number(precio),
        categoria: categoria as Categoria,
        sat,
        gramos: Number(gramos),
        tipo,
      };
    });

export const DE_MERCADO_LIBRE: readonly Articulo[] = leidos(EN_MERCADO_LIBRE);
/** The articles at Amazon: its own, and one in four of those at Mercado Libre. */
export const DE_AMAZON: readonly Articulo[] = [
  ...leidos(SOLO_EN_AMAZON),
  ...DE_MERCADO_LIBRE.filter(({ precio }, at) => at % 4 === 0 && precio >= 29_900),
];

const porNumero = new Map([...DE_MERCADO_LIBRE, ...DE_AMAZON].map((articulo) => [articulo.n, articulo]));
/** Returns the article that sells a piece; undefined for a piece that the shop does not sell. */
export const articuloOf = (n: number): Articulo | undefined => porNumero.get(n);

/** The rule of the shop: cost with VAT and half of it. */
const IVA = 1.16;
const GANANCIA = 0.5;
/** Returns what the supplier of an article asks for it, in centavos without VAT: the shop's price follows from it. */
export const costoOf = ({ precio }: Articulo): number => Math.round(precio / IVA / (1 + GANANCIA));
