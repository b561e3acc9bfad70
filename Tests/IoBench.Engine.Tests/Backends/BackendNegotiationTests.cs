using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed unsafe class BackendNegotiationTests
{
    [BackendFact(LinuxAioBackend.Name, IoUringBackend.Name)]
    public void Run_falls_back_when_one_worker_is_refused_the_backend()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var log = new List<string>();
        var made = new List<RefusableBackend>();
        var result = Run(file, log, made, number => number == 2 ? "the script refuses" : null, BackendCatalog.Auto);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("LinuxAio", result.Backend);
        Assert.Equal("IoBench does not use IoUring: the script refuses.", result.Host["Better backends"]);
        Assert.Contains("IoBench does not use IoUring: the script refuses.", log);
        Assert.Equal(8, made.Count);
        // Workers that got the backend closed it before the next backend was tried.
        Assert.All(made.Take(4), backend => Assert.True(backend.IsClosed));
    }

    [LinuxFact]
    public void Run_fails_with_the_reason_when_a_requested_backend_is_refused()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var made = new List<RefusableBackend>();
        var error = Assert.Throws<IoBenchException>(() =>
            Run(file, [], made, number => number == 3 ? "the script refuses" : null, ThreadsBackend.Name)
        );
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains("cannot be used: the script refuses. Use ", error.Message, StringComparison.Ordinal);
        Assert.Equal(4, made.Count);
    }

    [Fact]
    public void Workers_keep_only_features_that_all_workers_got()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var made = new List<RefusableBackend>();
        Run(
            file,
            [],
            made,
            _ => null,
            ThreadsBackend.Name,
            number => number == 1 ? BackendFeatures.RegisteredFiles : BackendFeatures.RegisteredFiles | BackendFeatures.RegisteredBuffers
        );
        Assert.Equal(4, made.Count);
        Assert.All(made, backend => Assert.Equal(BackendFeatures.RegisteredFiles, backend.KeptFeatures));
    }

    [Fact]
    public void Workers_enable_features_after_all_backends_are_open()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var made = new List<RefusableBackend>();
        Run(
            file,
            [],
            made,
            _ => null,
            ThreadsBackend.Name,
            _ => made.All(b => b.IsOpen) && made.Count == 4 ? BackendFeatures.RegisteredFiles : BackendFeatures.None
        );
        Assert.All(made, backend => Assert.Equal(BackendFeatures.RegisteredFiles, backend.KeptFeatures));
    }

    [Theory]
    [InlineData("a, b", "a, b", "a, b")]
    [InlineData("a, b", "a", "a; 1 of 2 with b")]
    [InlineData("a", "b", "1 of 2 with a, 1 of 2 with b")]
    [InlineData("", "", "")]
    public void Feature_text_counts_workers_when_features_differ(string first, string second, string expected) =>
        Assert.Equal(expected, BackendNegotiation.DescribeFeatures([SplitFeatures(first), SplitFeatures(second)]));

    private static string[] SplitFeatures(string text) => text.Split(", ", StringSplitOptions.RemoveEmptyEntries);

    [Theory]
    [InlineData(Architecture.S390x)]
    [InlineData(Architecture.Ppc64le)]
    [InlineData(Architecture.LoongArch64)]
    public void LinuxAio_is_refused_on_architectures_other_than_x64_and_arm64(Architecture processor) =>
        Assert.Contains("requires x64 or arm64", LinuxAioBackend.GetUnavailableReason(processor, [1]), StringComparison.Ordinal);

    [AioLimitFact]
    public void LinuxAio_check_counts_the_contexts_of_all_workers()
    {
        var half = (int)(LinuxResourceLimits.GetFreeAioRequests()!.Value / 2) + 4096;
        Assert.Null(LinuxAioBackend.GetUnavailableReason(RuntimeInformation.ProcessArchitecture, [64, 64]));
        Assert.Contains(
            "fs.aio-max-nr",
            LinuxAioBackend.GetUnavailableReason(RuntimeInformation.ProcessArchitecture, [half, half]),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Registered_buffers_never_split_a_slot()
    {
        const int slots = 10,
            stride = 4096 * 3;
        var memory = (byte*)NativeMemory.AlignedAlloc(slots * stride, 4096);
        var all = (IoSlot*)NativeMemory.AllocZeroed(slots, (nuint)sizeof(IoSlot));
        for (var i = 0; i < slots; i++)
        {
            all[i].ReadBuffer = memory + i * stride;
            all[i].WriteBuffer = all[i].ReadBuffer + 4096;
        }
        try
        {
            var setup = new BackendSetup
            {
                Slots = all,
                SlotCount = slots,
                Buffers = memory,
                BufferBytes = slots * stride,
                Targets = [],
            };
            var pieces = BackendSetup.SplitIntoRegisteredBuffers(setup, 4 * stride + 4096);
            Assert.Equal([4 * stride, 4 * stride, 2 * stride], pieces.Select(p => (int)p.Length));
            for (var i = 0; i < slots; i++)
            {
                var piece = pieces[all[i].RegisteredBuffer];
                Assert.True(all[i].ReadBuffer >= piece.Base && all[i].WriteBuffer + 8192 <= piece.Base + piece.Length);
            }
            Assert.Equal((nuint)(slots * stride), Assert.Single(BackendSetup.SplitIntoRegisteredBuffers(setup, 1 << 30)).Length);
            Assert.All(Enumerable.Range(0, slots), i => Assert.Equal(0, all[i].RegisteredBuffer));
        }
        finally
        {
            NativeMemory.Free(all);
            NativeMemory.AlignedFree(memory);
        }
    }

    [BackendFact(IoUringBackend.Name)]
    public void Writes_from_several_registered_buffers_reach_the_file_intact()
    {
        const ulong seed = 77;
        const int block = 16 << 10;
        using var file = new TemporaryTestFile(2 << 20);
        var result = TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
            {
                (s.Backend, s.Buffering, s.WritePercent, s.OutstandingIO, s.ThreadCount, s.BlockSize) = (
                    IoUringBackend.Name,
                    IoBuffering.None,
                    50,
                    16,
                    2,
                    block
                );
                s.AccessPattern = IoAccessPattern.Interlocked;
                s.Duration = TimeSpan.FromSeconds(1);
            }),
            seed,
            () => new IoUringBackend { MaxRegisteredBytes = 100 << 10 }
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        var now = File.ReadAllBytes(file.Path);
        var written = 0;
        for (var at = 0; at < now.Length; at += BlockHeader.BlockSize)
        {
            if (BlockHeader.Matches(now.AsSpan(at, BlockHeader.BlockSize), seed, at))
                written++;
            else
                Assert.True(
                    now.AsSpan(at, BlockHeader.BlockSize).SequenceEqual(file.Original.AsSpan(at, BlockHeader.BlockSize)),
                    $"what lies at {at} is neither old nor new"
                );
        }
        Assert.True(written > 0);
        if (Environment.IsPrivilegedProcess)
            Assert.Contains("registered buffers", result.Host["Backend"], StringComparison.Ordinal);
    }

    [BackendTheory(IoUringBackend.Name)]
    [InlineData(IoBuffering.Both, 8 << 10, true)]
    [InlineData(IoBuffering.Software, 64 << 10, true)]
    [InlineData(IoBuffering.Both, 128 << 10, false)]
    [InlineData(IoBuffering.None, 8 << 10, false)]
    public void Small_cached_blocks_use_plain_buffers(IoBuffering buffering, int block, bool arePlain)
    {
        using var file = new TemporaryTestFile(1 << 20);
        var result = TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
                (s.Backend, s.Buffering, s.BlockSize, s.WritePercent, s.Duration) = (
                    IoUringBackend.Name,
                    buffering,
                    block,
                    50,
                    TimeSpan.FromMilliseconds(100)
                )
            ),
            1
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(arePlain, result.Host["Backend"].Contains("plain buffers (the file cache copies the data)", StringComparison.Ordinal));
    }

    [Fact]
    public void One_unbuffered_target_gives_all_workers_registered_buffers()
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("a.dat") { Pattern = new IoPattern { Buffering = IoBuffering.None } }, new("b.dat")],
            Buffering = IoBuffering.Both,
        };
        CheckedTarget[] targets = [.. specification.Targets.Select(target => new CheckedTarget { Path = target.Path, Size = 1 << 20 })];
        Assert.All(RunPlan.Create(specification, targets).Workers, worker => Assert.False(worker.UsesSmallCachedIO));
    }

    [SubmissionPollingFact]
    public void Submission_polling_uses_a_kernel_thread()
    {
        const ulong seed = 78;
        using var file = new TemporaryTestFile(2 << 20);
        var result = TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
            {
                (s.Polling, s.WritePercent, s.OutstandingIO, s.ThreadCount, s.FlushEvery) = (IoPolling.Submission, 50, 16, 1, 10);
                // A low rate, so that the kernel thread falls asleep and must be woken, and the worker waits for scheduled times.
                (s.TargetIops, s.Duration, s.AccessPattern) = (200, TimeSpan.FromSeconds(4), IoAccessPattern.Interlocked);
            }),
            seed
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.StartsWith("IoUring (sqpoll", result.Host["Backend"], StringComparison.Ordinal);
        Assert.InRange(result.IOCount!.Value, 400, 900);
        var now = File.ReadAllBytes(file.Path);
        Assert.Contains(
            Enumerable.Range(0, now.Length / BlockHeader.BlockSize),
            i => BlockHeader.Matches(now.AsSpan(i * BlockHeader.BlockSize, BlockHeader.BlockSize), seed, i * BlockHeader.BlockSize)
        );
    }

    [BackendTheory(IoUringBackend.Name)]
    [InlineData(IoPolling.Completion)]
    [InlineData(IoPolling.Hybrid)]
    public void Completion_polling_fails_on_a_device_without_poll_queues(IoPolling polling)
    {
        using var file = new TemporaryTestFile(1 << 20);
        var error = Assert.Throws<IoBenchException>(() =>
            TemporaryTestFile.RunWithSeed(file.CreateSpecification(s => (s.Polling, s.Buffering) = (polling, IoBuffering.None)), 1)
        );
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.StartsWith("Polling " + polling, error.Message, StringComparison.Ordinal);
        Assert.Contains("does not support polling", error.Message, StringComparison.Ordinal);
        Assert.EndsWith(". Remove Polling.", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(IoPolling.Submission, ThreadsBackend.Name, IoBuffering.None, 0)]
    [InlineData(IoPolling.Completion, BackendCatalog.Auto, IoBuffering.Both, 0)]
    [InlineData(IoPolling.Hybrid, IoUringBackend.Name, IoBuffering.None, 16)]
    public void Validation_rejects_polling_that_conflicts_with_other_options(
        IoPolling polling,
        string backend,
        IoBuffering buffering,
        int flushEvery
    )
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("t.dat")],
            Polling = polling,
            Backend = backend,
            Buffering = buffering,
            FlushEvery = flushEvery,
        };
        Assert.Equal(
            "IoBench.ConflictingOptions",
            Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(specification)).ErrorId
        );
    }

    private static IoTestResult Run(
        TemporaryTestFile file,
        List<string> log,
        List<RefusableBackend> made,
        Func<int, string?> refusal,
        string kind,
        Func<int, BackendFeatures>? extras = null
    )
    {
        using var run = new TestRun(
            file.CreateSpecification(s => (s.Backend, s.ThreadCount, s.Duration) = (kind, 4, TimeSpan.FromMilliseconds(100))),
            new TestRunOptions { Log = log.Add }
        )
        {
            BackendFactory = () =>
            {
                lock (made)
                {
                    made.Add(new RefusableBackend(refusal(made.Count), made.Count, extras));
                    return made[^1];
                }
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    private sealed class SubmissionPollingFactAttribute : FactAttribute
    {
        public SubmissionPollingFactAttribute() => Skip = BackendFactAttribute.Reason(IoUringBackend.Name) ?? WhyNot();

        private static string? WhyNot()
        {
            using var ring = IoUringRing.Create(8, out _, IoPolling.Submission);
            return ring is null ? "needs a kernel thread that polls submissions" : null;
        }
    }

    private sealed class RefusableBackend(string? refusal, int number, Func<int, BackendFeatures>? extras) : IoBackend
    {
        private readonly ThreadsBackend _inner = new();

        public bool IsOpen { get; private set; }
        public bool IsClosed { get; private set; }
        public BackendFeatures KeptFeatures { get; private set; }
        public override BackendDescriptor Kind => ThreadsBackend.Descriptor;
        public override bool HasOptionalFeatures => true;

        public override void Open(BackendSetup setup)
        {
            if (refusal is not null)
                throw BackendRefusedException.CreateError(Kind, refusal);
            _inner.Open(setup);
            IsOpen = true;
        }

        public override BackendFeatures EnableOptionalFeatures() => extras?.Invoke(number) ?? BackendFeatures.None;

        public override void DisableFeaturesExcept(BackendFeatures common) => KeptFeatures = common;

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            _inner.SubmitAndReap(ready, count, until, completions);

        public override void Close()
        {
            IsClosed = true;
            if (IsOpen)
                _inner.Close();
        }
    }
}
