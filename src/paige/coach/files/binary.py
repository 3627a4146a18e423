"""Files that are no text, told by their name."""

from pathlib import PurePosixPath

_ENDINGS_OF = {
    "pictures": "png jpg jpeg jpe gif bmp ico icns webp avif heic heif tif tiff psd xcf cr2 nef",
    "sound": "mp3 m4a wav flac ogg oga opus aac wma mid midi",
    "films": "mp4 m4v mov avi mkv webm ogv wmv flv mpg mpeg",
    "archives": "zip gz tgz bz2 tbz xz txz zst lz lz4 lzma br 7z rar tar cab iso dmg",
    "packages": "deb rpm apk ipa jar war ear whl egg nupkg crate gem unitypackage",
    "programs": "exe dll so dylib a o ko pdb class pyc pyo pyd elc beam wasm node bin msi",
    "documents": "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi djvu sketch",
    "fonts": "ttf otf ttc eot woff woff2",
    "data": "sqlite sqlite3 db mdb accdb parquet feather arrow avro orc npy npz pkl h5 hdf5 rds",
    "models": "pt pth onnx safetensors gguf tflite pb joblib pickle blend fbx glb dwg",
    "keys": "der p12 pfx jks keystore kdbx gpg",
    "leftovers": "swp swo",
}
_ENDINGS = frozenset(ending for all_ in _ENDINGS_OF.values() for ending in all_.split())


def has_binary_name(name: str) -> bool:
    """Whether a file's name, or its path, says that it is no text."""
    path = PurePosixPath(name)
    return path.suffix[1:].lower() in _ENDINGS or path.name == ".DS_Store"
