using System.Collections.Concurrent;

namespace IoBench.Application.Fleet.Control;

/// <summary>
/// What members gave, in a file as it comes: the very lines that brought it. A thousand hosts give more than fits into memory, which holds only what the answer needs; and what came before somebody
/// killed the controller is there, for <c>iobench fleet merge</c>. Without a folder for such things the file has no name, and is gone with the controller.
/// </summary>
public sealed class FleetSpool : IDisposable
{
    private readonly object _gate = new();
    private readonly FileStream? _file;
    private readonly string? _folder;
    private readonly string? _path;
    private readonly ConcurrentDictionary<IoTestResult, SpooledResult> _places = new(ReferenceEqualityComparer.Instance);
    private string? _trouble;
    private long _length;

    private FleetSpool(FileStream? file, string? folder, string? path) => (_file, _folder, _path) = (file, folder, path);

    /// <summary>Begins the file of a fleet.</summary>
    public static FleetSpool Begin(string group) => Begin(group, JournalFolder.Path);

    internal static FleetSpool Begin(string group, string? folder)
    {
        try
        {
            if (folder is null)
                return new FleetSpool(Nameless(), null, null);
            JournalFolder.Make(folder);
            var path = Path.Combine(folder, $"fleet-{group}.jsonl");
            return new FleetSpool(
                new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0),
                folder,
                path
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new FleetSpool(null, null, null) { _trouble = e.Message };
        }
    }

    /// <summary>Lets the file go.</summary>
    public void Dispose()
    {
        _file?.Dispose();
        if (_path is not null)
            Remove(_path);
    }

    /// <summary>Why results are kept in memory; once, and null when they are not.</summary>
    internal IoWarning? TakeTrouble() =>
        Interlocked.Exchange(ref _trouble, null) is { } text
            ? new IoWarning(WarningCodes.FleetInMemory, $"results are kept in memory until they are saved: {text}")
            : null;

    /// <summary>Keeps a line; called on any thread.</summary>
    /// <param name="line">The line, in UTF-8.</param>
    /// <param name="result">Where in it the result is.</param>
    internal SpooledResult Add(ReadOnlySpan<byte> line, Range result)
    {
        lock (_gate)
        {
            if (_length == 0)
                RemoveEarlier();
            var (start, length) = result.GetOffsetAndLength(line.Length);
            if (_file is null || !TryWrite(line))
                return new SpooledResult(0, length, line[result].ToArray());
            var place = new SpooledResult(_length + start, length, null);
            _length += line.Length + 1;
            return place;
        }
    }

    /// <summary>The result of a line, for the first time: it can be made slim, and asked for again.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: it is none; <c>IoBench.CannotRead</c>: the file cannot be read.</exception>
    internal IoTestResult Take(SpooledResult place)
    {
        var result = Read(place);
        _places[result] = place;
        return result;
    }

    /// <summary>A result with all it holds; one that was taken from here is read again, with what was noted in it since.</summary>
    internal IoTestResult Whole(IoTestResult result)
    {
        if (!_places.TryGetValue(result, out var place))
            return result;
        var whole = Read(place);
        (whole.Member, whole.GroupId, whole.GroupHosts, whole.StartTime) = (
            result.Member,
            result.GroupId,
            result.GroupHosts,
            result.StartTime
        );
        (whole.Host, whole.CommonWindowPercent, whole.GroupMembers) = (result.Host, result.CommonWindowPercent, result.GroupMembers);
        return whole;
    }

    private IoTestResult Read(SpooledResult place)
    {
        if (place.Kept is { } kept)
            return JsonResultText.Result(kept);
        var bytes = new byte[place.Length];
        try
        {
            for (int done = 0, count; done < bytes.Length; done += count)
                if ((count = RandomAccess.Read(_file!.SafeFileHandle, bytes.AsSpan(done), place.Offset + done)) == 0)
                    throw new EndOfStreamException("it is shorter than it was.");
        }
        catch (IOException e)
        {
            throw InputFile.CannotRead(_path ?? "the file of this fleet's results", e);
        }
        return JsonResultText.Result(bytes);
    }

    private bool TryWrite(ReadOnlySpan<byte> line)
    {
        try
        {
            RandomAccess.Write(_file!.SafeFileHandle, line, _length);
            RandomAccess.Write(_file.SafeFileHandle, "\n"u8, _length + line.Length);
            return true;
        }
        catch (IOException e)
        {
            _trouble ??= e.Message;
            return false;
        }
    }

    /// <summary>Files of fleets whose controllers were killed: the first result of another one is their end. One that runs holds its own.</summary>
    private void RemoveEarlier()
    {
        foreach (var path in _folder is null ? [] : Directory.EnumerateFiles(_folder, "fleet-*.jsonl").Where(path => path != _path))
        {
            try
            {
                using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None)) { }
                Remove(path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // It is held.
            }
        }
    }

    private static FileStream Nameless()
    {
        // 0600, and on Unix without a name from now on; Windows removes it with its handle, whatever ends the process.
        var path = Path.GetTempFileName();
        var file = new FileStream(
            path,
            FileMode.Open,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 0,
            OperatingSystem.IsWindows() ? FileOptions.DeleteOnClose : FileOptions.None
        );
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return file;
    }

    private static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A virus scanner holds it: the next fleet removes it.
        }
    }
}

/// <summary>Where a result is in a spool.</summary>
/// <param name="Offset">Its first byte.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Kept">The bytes themselves, where they could not be written.</param>
internal sealed record SpooledResult(long Offset, int Length, byte[]? Kept);
