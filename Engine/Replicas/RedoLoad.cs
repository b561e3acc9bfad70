namespace IoBench.Engine;

/// <summary>Random page writes, as the redo threads of a replica cause them. They run while at least one user is registered.</summary>
internal sealed class RedoLoad(OpenTarget target, long start, long end) : IDisposable
{
    public const int ThreadCount = 4;
    public const int PageSize = 8192;

    private readonly object _gate = new();
    private readonly List<Thread> _threads = [];
    private int _users;
    private volatile bool _isStopped;

    /// <summary>First failed write; null if there is none.</summary>
    public IoBenchException? Failure { get; private set; }

    public void AddUser()
    {
        lock (_gate)
        {
            if (_users == 0)
                Start();
            _users++;
        }
    }

    public void RemoveUser()
    {
        lock (_gate)
        {
            if (--_users > 0)
                return;
            _isStopped = true;
            _threads.ForEach(thread => thread.Join());
            _threads.Clear();
        }
    }

    public void Dispose() => _isStopped = true;

    private void Start()
    {
        List<LogWriter> writers = [];
        try
        {
            for (var i = 0; i < ThreadCount; i++)
                writers.Add(CreateWriter(i));
        }
        catch
        {
            writers.ForEach(writer => writer.Dispose());
            throw;
        }
        _isStopped = false;
        foreach (var writer in writers)
        {
            var random = new RandomSource((ulong)Random.Shared.NextInt64(), _threads.Count, 0);
            var thread = new Thread(() => Run(writer, random)) { IsBackground = true, Name = "IoBench redo" };
            _threads.Add(thread);
            thread.Start();
        }
    }

    private LogWriter CreateWriter(int number)
    {
        var pattern = CommitTarget.CreatePattern(CommitMethod.WriteThrough, PageSize);
        return new(
            CommitMethod.WriteThrough,
            new FlushGroup(),
            target.OpenHandle(pattern, ThreadsBackend.Descriptor),
            pattern,
            target.Target.ContentSeed,
            number
        );
    }

    private void Run(LogWriter writer, RandomSource random)
    {
        using (writer)
            while (!_isStopped)
            {
                writer.Prepare(start + random.NextBelow((end - start) / PageSize) * PageSize);
                if (writer.TryCommit())
                    continue;
                Failure ??= writer.Failure;
                return;
            }
    }
}
