using System.Runtime.InteropServices;

namespace IoBench.Tests;

/// <summary>Counts how often the files of a folder are opened, as inotify reports it, so that no open is missed.</summary>
internal sealed unsafe partial class FileOpenCounter : IDisposable
{
    private const int NonBlocking = 0x800;
    private const uint Opened = 0x20;
    private const uint ReadOrClosed = 0x1 | 0x8 | 0x10;
    private const uint IsFolder = 0x40000000;
    private const int HeaderLength = 16;

    private readonly int _handle;

    public FileOpenCounter(string folder)
    {
        _handle = Init(NonBlocking);
        Assert.True(
            _handle >= 0 && AddWatch(_handle, folder, Opened | ReadOrClosed) >= 0,
            $"inotify: error {Marshal.GetLastPInvokeError()}"
        );
    }

    /// <summary>Returns the number of opens per file name since the last call.</summary>
    public Dictionary<string, int> GetCounts()
    {
        var counts = new Dictionary<string, int>(StringComparer.Ordinal);
        var buffer = stackalloc byte[16 * 1024];
        // inotify merges equal consecutive events. Reads and closes are watched too, so they separate two opens.
        for (nint length; (length = Read(_handle, buffer, 16 * 1024)) > 0; )
        {
            for (nint at = 0; at < length; at += HeaderLength + (nint)(*(uint*)(buffer + at + 12)))
            {
                var name = Marshal.PtrToStringUTF8((nint)(buffer + at + HeaderLength))!;
                if ((*(uint*)(buffer + at + 4) & (Opened | IsFolder)) == Opened)
                    counts[name] = counts.GetValueOrDefault(name) + 1;
            }
        }
        return counts;
    }

    public void Dispose() => _ = Close(_handle);

    [LibraryImport("libc", EntryPoint = "inotify_init1", SetLastError = true)]
    private static partial int Init(int flags);

    [LibraryImport("libc", EntryPoint = "inotify_add_watch", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int AddWatch(int handle, string path, uint mask);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int handle, byte* buffer, nint length);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int handle);
}
