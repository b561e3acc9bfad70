using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// A run's right to write to an own file. From the first to the last user the mark says <c>open</c>; then it is closed over what the file is by then.
/// A run that names a file twice shares one session.
/// </summary>
internal sealed class WriteSession
{
    private static readonly Dictionary<string, WriteSession> s_sessions = new(StringComparer.Ordinal);

    private readonly string _path;
    private readonly SafeFileHandle _handle;
    private FileMark _mark;
    private int _users;

    private WriteSession(string path, SafeFileHandle handle, FileMark mark)
    {
        _path = path;
        _handle = handle;
        _mark = mark;
    }

    /// <summary>Opens the mark of an own file; dispose of the result when all handles that wrote are closed.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ForeignFile</c>: since it was prepared the file became another; <c>IoBench.FileInUse</c>.</exception>
    public static IDisposable Begin(string path, ulong seed, bool opaque)
    {
        lock (s_sessions)
        {
            if (!s_sessions.TryGetValue(path, out var session))
            {
                session = Open(path);
                s_sessions.Add(path, session);
            }
            var mark = session._mark.WithWriteSeed(seed) with { State = MarkState.Open, Opaque = session._mark.Opaque || opaque };
            try
            {
                MarkStore.Write(session._handle, path, mark.ToText());
            }
            catch when (session._users == 0)
            {
                s_sessions.Remove(path);
                session._handle.Dispose();
                throw;
            }
            session._mark = mark;
            session._users++;
            return new User(session);
        }
    }

    /// <summary>Opens an own file for writing and keeps other runs out; throws when it is not ours (any more) or in use.</summary>
    public static SafeFileHandle OpenOwn(string path, out FileMark mark)
    {
        var handle = PlatformFiles.Current.OpenToWrite(path);
        try
        {
            if (!PlatformFiles.Current.TryLock(handle))
                throw IoBenchException.Refused("IoBench.FileInUse", $"{path} is being written by another IoBench run. Wait for its end or name another file.", path);
            var owner = Ownership.Judge(handle, path);
            mark = owner.Mark ?? throw IoBenchException.Refused("IoBench.ForeignFile", $"{path} {owner.Reason}: it became another file since it was checked. Name another file.", path);
            return handle;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>The mark of a file to which nothing is written any more.</summary>
    public static FileMark Closed(SafeFileHandle handle, string path, FileMark mark)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return mark with
        {
            State = MarkState.Closed,
            Size = status.Size,
            Filled = status.Size,
            Modified = status.Modified,
            Proof = Ownership.Proof(handle, path, mark.Id, status.Size),
        };
    }

    private static WriteSession Open(string path)
    {
        var handle = OpenOwn(path, out var mark);
        return new WriteSession(path, handle, mark);
    }

    private void End()
    {
        lock (s_sessions)
        {
            if (--_users > 0)
                return;
            s_sessions.Remove(_path);
            using (_handle)
            {
                // A file that was cut or made longer in mid-run is somebody else's doing: its mark stays open, and the next look judges it.
                var status = PlatformFiles.Current.GetStatus(_handle, _path);
                if (status.Size == _mark.Size && PlatformFiles.Current.TryGetStatus(_path)?.Identity == _mark.Identity)
                    MarkStore.Write(_handle, _path, Closed(_handle, _path, _mark).ToText());
            }
        }
    }

    private sealed class User(WriteSession session) : IDisposable
    {
        private WriteSession? _session = session;

        public void Dispose() => Interlocked.Exchange(ref _session, null)?.End();
    }
}
