// The DLL of Windows from which Go takes its random numbers, for Wine 8, whose own lacks the function.
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
  return RtlGenRandom(data, (ULONG)length);
}
