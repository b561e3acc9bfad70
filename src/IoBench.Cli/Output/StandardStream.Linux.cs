using System.Runtime.InteropServices;

namespace IoBench.Cli;

/// <summary>Standard output or standard error. Reports a pipe without a reader, which .NET's own stream hides.</summary>
internal sealed unsafe partial class StandardStream(int number, bool isClosed) : WriteOnlyStream
{
    internal const int GetDescriptorFlags = 1,
        CloseOnExec = 1,
        ReadWrite = 2,
        Interrupted = 4,
        TryAgain = 11,
        BrokenPipe = 32;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (isClosed)
            throw new IOException("it is closed");
        while (!buffer.IsEmpty)
        {
            nint written;
            fixed (byte* start = buffer)
                written = WriteFile(number, start, buffer.Length);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }
            var error = Marshal.GetLastPInvokeError();
            if (error == TryAgain)
                Thread.Sleep(1); // another program has made the terminal or pipe non-blocking
            else if (error == BrokenPipe)
                throw new IOException("the reader closed it", BrokenPipe);
            else if (error != Interrupted)
                throw new IOException(Marshal.GetPInvokeErrorMessage(error));
        }
    }

    public override void Flush()
    {
        // Nothing is buffered.
    }

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint WriteFile(int file, byte* buffer, nint length);

    /// <summary>A process can start with a standard handle closed (<c>&gt;&amp;-</c>). The next file that it opens gets that handle, and
    /// output would go into the file. So closed handles are reserved first.</summary>
    /// <returns>true for each handle that was closed.</returns>
    public static bool[] ReserveClosedHandles()
    {
        var isClosed = new bool[3];
        for (var number = 0; number < isClosed.Length; number++)
        {
            var flags = FileControl(number, GetDescriptorFlags, 0);
            // An inherited handle cannot have FD_CLOEXEC, so the runtime has opened this one.
            isClosed[number] = flags < 0 || (flags & CloseOnExec) != 0;
            if (flags < 0)
                _ = OpenFile("/dev/null", ReadWrite, 0);
        }
        return isClosed;
    }

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int FileControl(int file, int command, nint argument);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenFile(string path, int flags, uint mode);
}
