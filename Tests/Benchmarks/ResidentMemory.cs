using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Benchmarks;

/// <summary>Resident memory of this process, read without allocating: the second number of /proc/self/statm, in pages.</summary>
internal sealed class ResidentMemory
{
    private readonly SafeFileHandle? _statm = OperatingSystem.IsLinux() ? File.OpenHandle("/proc/self/statm") : null;

    public long Bytes
    {
        get
        {
            if (_statm is null)
                return Environment.WorkingSet;
            Span<byte> text = stackalloc byte[128];
            text = text[..RandomAccess.Read(_statm, text, 0)];
            return Utf8Parser.TryParse(text[(text.IndexOf((byte)' ') + 1)..], out long pages, out _)
                ? pages * Environment.SystemPageSize
                : 0;
        }
    }
}
