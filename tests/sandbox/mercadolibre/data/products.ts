/** The catalogue of the demo's reseller. */
export interface Product {
  index: number;
  itemId: string;
  userProductId: string | null;
  title: string;
  sku: string;
  /** Price in centavos, VAT included. */
  price: number;
  categoryId: string;
  grams: number;
  listingType: string;
}

const CATEGORIAS: Record<string, string> = {
  CAMARAS: 'MLM167538',
  GRABADORES: 'MLM167544',
  REDES: 'MLM1700',
  CABLES: 'MLM4637',
  ENERGIA: 'MLM1718',
  GABINETES: 'MLM189320',
  ACCESO: 'MLM190998',
};

/** A line for each product: supplier, model, price with VAT in centavos, category, grams, listing type, title. */
const ROWS = `
syscom DS-2CE10DF0T-PF 64900 CAMARAS 450 gold_special Cámara Bala Exterior 1080p Lente 2.8mm Ir 20m
syscom DS-2CE56D0T-IRPF 48999 CAMARAS 380 gold_special Cámara Domo 2mp Turbohd Lente 2.8mm Interior Ir 20m
syscom DS-2DE4425IW-DE 1289900 CAMARAS 2900 gold_pro Cámara Ip Ptz 4mp Zoom 25x Seguimiento Automático De Personas Y Vehículos Exterior Poe+
tvc IPC-C22EN 79900 CAMARAS 300 gold_pro Cámara Wifi 360° Audio Bidireccional Visión Nocturna
syscom DS-2CD2087G2-LU 329900 CAMARAS 800 gold_pro Cámara Bullet Ip 8mp 4k Colorvu Micrófono Integrado
tvc TVC-PIN-2MP 89950 CAMARAS 220 gold_special Cámara Oculta En Detector De Humo "Pinhole" 2mp
cva HAC-HDW1500 149900 CAMARAS 700 gold_special Cámara Turret 5mp Lente Varifocal 2.7-13.5mm Metálica
ts MC-1080-N 45900 CAMARAS 120 gold_pro Mini Cámara Espía 1080p Niñera & Mascotas Batería Recargable
syscom IDS-2CD7A46G0-IZHSY 1849900 CAMARAS 2100 gold_special Cámara Lpr Lectura De Placas 4mp Lente Motorizado 8-32mm Para Estacionamientos Y Casetas De Acceso
syscom KIT7204BP 489900 GRABADORES 5200 gold_pro Kit Cctv 4 Cámaras 1080p Dvr 4 Canales Disco 1tb Listo Para Instalar
tvc KIT8-5MP-2TB 969900 GRABADORES 9800 gold_pro Kit Cctv 8 Cámaras 5mp Dvr 8 Canales Disco 2tb Cables Y Fuente Incluidos Instalación Sencilla
syscom IDS-7204HQHI-M1 189900 GRABADORES 1500 gold_special Dvr 4 Canales 1080p Lite H.265+ Acusense
tvc XVR5108HS 264900 GRABADORES 1800 gold_special Dvr 8 Canales 5mp Turbohd Pentahíbrido
cva XVR1B16 339900 GRABADORES 2100 gold_special Dvr 16 Canales 1080p | 1 Bahía | Salida Hdmi Y Vga
syscom DS-7616NI-Q2 589900 GRABADORES 4200 gold_pro Nvr 16 Canales Poe 8mp 4k 2 Bahías De Disco
ct WD11PURZ 118900 GRABADORES 650 gold_special Disco Duro 1tb Videovigilancia Purple 3.5" 24/7
ct ST4000VX016 239900 GRABADORES 680 gold_special Disco Duro 4tb Videovigilancia Skyhawk 3.5"
ct SDSQQNR-128G 38950 GRABADORES 20 gold_pro Memoria Micro Sd 128gb Alta Resistencia Para Cámaras
ct ARCHER-C50 149900 REDES 600 gold_pro Router Inalámbrico Doble Banda Ac1200
ct ARCHER-AX53 189900 REDES 780 gold_pro Router Wifi 6 Ax3000 Gigabit 4 Antenas
ct TL-SG105 49999 REDES 320 gold_special Switch 5 Puertos Gigabit Metálico No Administrable
cva LS108G 54900 REDES 420 gold_special Switch 8 Puertos Gigabit Metálico De Escritorio
syscom DS-3E0310P-E/M 219900 REDES 1300 gold_special Switch Poe+ 8 Puertos 120w + 2 Uplink Gigabit Para Cámaras Ip Hasta 250 Metros Modo Extendido
ts TL-SG3428 499900 REDES 2900 gold_pro Switch Administrable 24 Puertos Gigabit 4 Sfp Capa 2+
ts EAP610 229900 REDES 560 gold_special Punto De Acceso Wifi 6 Techo Omada Poe
syscom LITEBEAM-5AC 159900 REDES 1100 gold_special Antena Direccional 5ghz 23dbi Enlace 10km
tvc MC-220L 89900 REDES 400 gold_special Convertidor De Medios Fibra Monomodo A Gigabit Ethernet
cva ARCHER-T2U 32900 REDES 60 gold_pro Adaptador Usb Wifi Ac600 Antena 5dbi
ts POE150S 41900 REDES 210 gold_special Inyector Poe 30w Gigabit 802.3at
ts SFP-LX20 38900 REDES 40 gold_special Módulo Sfp Monomodo 1.25g Lc 20km
tvc SAXXON-CAT6-305 289900 CABLES 11800 gold_special Bobina Cable Utp Cat6 305m 100% Cobre Azul Interior
tvc OUTP5E-305N 169900 CABLES 9800 gold_special Bobina Cable Utp Cat5e 305m Cca Exterior Con Gel Negro
syscom RG59-SIAM-305 349900 CABLES 14500 gold_special Bobina Cable Coaxial Siamés Rg59 + 2 Hilos De Alimentación 305 Metros 95% Malla Blanco Para Cctv
tvc TVD119001 23900 CABLES 180 gold_special Conector Rj45 Cat6 Bolsa 100 Piezas
tvc TVD119010 1437 CABLES 10 gold_special Conector Rj45 Cat5e Pasante
ts BNC-T10 9999 CABLES 90 gold_special Conector Bnc Para Cámara Paquete 10 Pzs Tornillo
syscom TT-101-F-TURBO 12950 CABLES 80 gold_special Par De Transceptores Video Balun Hd 8mp
ct PC6-1-AZ 4590 CABLES 40 gold_special Patch Cord Cat6 1m Azul
ct PC6A-3-GR 13990 CABLES 110 gold_special Patch Cord Cat6a 3m Blindado Gris
tvc KS6-BL 3350 CABLES 20 gold_special Jack Keystone Cat6 Blanco
ts TOOL-RJ45-K 34900 CABLES 700 gold_pro Pinza Ponchadora Rj45/rj11 C/ Probador De Cables
tvc HDMI-EXT-60 62900 CABLES 350 gold_special Extensor Hdmi Por Cable Utp 60m Con Ir
ct BR750 139900 ENERGIA 5600 gold_special Ups No Break 750va 8 Contactos Regulador
ct CP1500PFCLCD 649900 ENERGIA 11400 gold_pro Ups 1500va 900w Torre Pantalla Lcd Onda Sinusoidal
ts EPU3000RTOL 1999900 ENERGIA 28900 gold_special Ups Online 3kva Rack/torre 120v Bypass Automático Puertos Usb Y Rs232 Factor De Potencia 0.9
syscom PL712D12 39900 ENERGIA 2100 gold_special Batería 12v 7ah Para Alarma Y Ups
syscom PL12DC10A9CH 89900 ENERGIA 1500 gold_special Fuente De Poder 12v 10a Para Cctv 9 Salidas
tvc TVN-12V1A 8499 ENERGIA 110 gold_special Eliminador 12v 1a Regulado Con Cámara Compatible
cva R2C-AVR1008 59900 ENERGIA 2200 gold_special Regulador De Voltaje 1000va 8 Contactos Supresor
syscom SOLAR-50-4G 429900 ENERGIA 6300 gold_pro Panel Solar 50w Kit Cámara 4g Batería De Litio
tvc RACK-24U-P 589000 GABINETES 48000 gold_special Rack 24U Piso
syscom SR-1909-GFP 219900 GABINETES 14500 gold_special Gabinete De Pared 9u Puerta De Cristal Fondo 450mm
syscom CH-1U-19 45900 GABINETES 1600 gold_special Charola Fija 19" 1u Ventilada
cva OH-1U 23450 GABINETES 700 gold_special Organizador Horizontal 1u C/ Tapa Rack 19"
ts PP24-C6 87900 GABINETES 900 gold_special Panel De Parcheo 24 Puertos Cat6 19"
syscom MAG600LED 109900 ACCESO 2400 gold_special Cerradura Electromagnética 600 Lb Con Led Y Ménsula Zl
syscom K1T804AMF 199900 ACCESO 480 gold_pro Control De Acceso Biométrico Huella Y Tarjeta Tcp/ip
tvc VTK-VTO2211 529900 ACCESO 1700 gold_pro Videoportero Ip 7" Pantalla Táctil Wifi Apertura Desde El Celular
ts SIR-30W 18750 ACCESO 600 gold_special Sirena 30w Doble Tono 12vdc
cva DS-PDP15P 64990 ACCESO 160 gold_special Detector De Movimiento Pir Inalámbrico Antimascotas 18 Kg
cva LET-VV-30 7990 ACCESO 150 gold_special Letrero "Zona Videovigilada" Año 2026 Metálico 30x20cm
tvc INT-2H-F 74900 ACCESO 900 gold_special Interfón Señal Audio 2 Hilos Contrapuerta & Fuente
`;

export const PRODUCTS: Product[] = ROWS.trim()
  .split('\n')
  .map((row, index) => {
    const [proveedor, modelo, price, categoria = '', grams, listingType = '', ...title] = row.split(' ');
    return {
      index,
      itemId: `MLM${2900010001 + index * 137}`,
      userProductId: index % 5 === 4 ? null : `MLMU${3900010001 + index * 211}`,
      title: title.join(' '),
      sku: `AMS|66f1c0${(0xa1 + index).toString(16).padStart(2, '0')}|${proveedor}|${modelo}`,
      price: Number(price),
      categoryId: CATEGORIAS[categoria]!,
      grams: Number(grams),
      listingType,
    };
  });

/** The price from which shipping is free. */
export const FREE_SHIPPING_FROM = 29900;
export const DEAR_PRODUCTS = PRODUCTS.filter(
  (product) => product.price >= FREE_SHIPPING_FROM && product.price < 700000,
);
export const CHEAP_PRODUCTS = PRODUCTS.filter((product) => product.price < FREE_SHIPPING_FROM);

export function productOfModel(model: string): Product {
  const product = PRODUCTS.find((one) => one.sku.endsWith(`|${model}`));
  if (!product) throw new Error(`no demo product ${model}`);
  return product;
}
