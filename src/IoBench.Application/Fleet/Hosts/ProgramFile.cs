using System.Security.Cryptography;

namespace IoBench.Application.Fleet.Hosts;

/// <summary>A program that hosts get: a single file, known by its SHA-256.</summary>
/// <param name="Path">The file here.</param>
/// <param name="Hash">Its SHA-256 in 64 lower-case hexadecimal digits.</param>
/// <param name="Length">Its length in bytes.</param>
public sealed record ProgramFile(string Path, string Hash, long Length)
{
    private const int Block = 1 << 18;

    /// <summary>Looks at a file.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ProgramFile</c>: it cannot be read, or a program that needs files beside it.</exception>
    public static ProgramFile Of(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            using var stream = File.OpenRead(path);
            // The program of a build for .NET starts a library beside it, which would not be copied.
            if (File.Exists(System.IO.Path.ChangeExtension(path, ".runtimeconfig.json")))
                throw IoBenchException.Usage(
                    FleetErrors.ProgramFile,
                    $"{path} needs the files beside it: give the program that is one file (iobench of the package for the hosts' system).",
                    path
                );
            CryptoLibrary.Require();
            return new ProgramFile(path, Convert.ToHexString(SHA256.HashData(stream)).ToLowerInvariant(), stream.Length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.NotFound(FleetErrors.ProgramFile, $"{path} cannot be read: {e.Message}", path);
        }
    }

    /// <summary>Writes all of it, and says so as it goes on.</summary>
    internal void WriteTo(Stream stream, Action goesOn)
    {
        using var file = File.OpenRead(Path);
        var block = new byte[Block];
        for (int count; (count = file.Read(block)) > 0; goesOn())
            stream.Write(block, 0, count);
        stream.Flush();
    }
}
