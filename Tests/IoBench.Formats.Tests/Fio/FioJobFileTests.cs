using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FioJobFileTests
{
    internal const string Example = """
        ; several jobs
        # with what most job files have
        [global]
        ioengine=libaio
        direct=1
        bs=8k
        size=64m
        runtime=90s
        ramp_time=2
        time_based
        filename=/data/a.dat
        randseed=7

        [reads]
        rw=randread   ; a remark
        iodepth=8
        numjobs=2
        percentage_random=80

        [writes]
        stonewall
        rw=write:4k
        bs=64k
        sync=1
        iodepth=1
        verify=crc32c
        thinktime=2500
        thinktime_blocks=4
        offset=1m
        fsync=32

        [data]
        stonewall
        rw=randrw
        rwmixread=70
        rate_iops=70,30
        numjobs=2

        [log]
        rw=write
        bs=4k
        filename=/data/log\:1.dat
        """;

    private static CommandLineTests ReadText(string text) => FioCommandLine.ReadJobFile(new StringReader(text), "x.fio");

    private static IoTestSpecification ReadSingleTest(string options) =>
        Assert.Single(ReadText("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).ThrowIfRefused().Specifications);

    private static IoBenchException GetRefusal(string options) =>
        Assert.Single(ReadText("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).Refused);

    [Fact]
    public void Global_options_apply_to_each_job()
    {
        var test = ReadText(Example).Specifications[0];

        Assert.Equal(("reads", 14, "x.fio"), (test.Label, test.GetOrAddOrigin().SourceLine!.Value, test.GetOrAddOrigin().SourceFile));
        Assert.Equal(
            (TimeSpan.FromSeconds(90), TimeSpan.FromSeconds(2), 7UL, "LinuxAio"),
            (test.Duration, test.WarmUp, test.Seed, test.Backend)
        );
        Assert.Equal(
            (8192L, 2, 8, 0, IoBuffering.Hardware),
            (test.BlockSize, test.ThreadCount, test.OutstandingIO, test.WritePercent, test.Buffering)
        );
        Assert.Equal((IoAccessPattern.PartRandom, 80), (test.AccessPattern, test.RandomPercent));
        var target = Assert.Single(test.Targets);
        Assert.Equal(("/data/a.dat", 64L << 20, 0L, null), (target.Path, target.FileSize!.Value, target.BaseOffset, target.MaxOffset));
    }

    [Fact]
    public void Stonewall_starts_the_next_test()
    {
        var tests = ReadText(Example);
        var test = tests.Specifications[1];

        Assert.Equal(3, tests.Specifications.Count);
        Assert.Equal((65536L, 69632L, 100, IoBuffering.None), (test.BlockSize, test.Stride!.Value, test.WritePercent, test.Buffering));
        Assert.Equal((4, 3, 32), (test.BurstSize, test.ThinkTimeMs, test.FlushEvery));
        Assert.Equal(
            (1L << 20, 65L << 20, 65L << 20),
            (test.Targets[0].BaseOffset, test.Targets[0].FileSize!.Value, test.Targets[0].MaxOffset!.Value)
        );
        Assert.Contains(
            "x.fio line 20, job writes: IoBench uses its own verification instead of verify=crc32c: IoBench compares each read with the expected content, and reads the whole file before and after the test",
            tests.Notes
        );
        Assert.Equal([false, true, false], tests.Specifications.Select(one => one.Verify));
        Assert.Contains("x.fio line 20, job writes: thinktime=2500 becomes 3 ms: IoBench uses whole milliseconds", tests.Notes);
    }

    [Fact]
    public void Concurrent_jobs_are_targets_of_one_test()
    {
        var test = ReadText(Example).Specifications[2];

        Assert.Equal("data+log", test.Label);
        Assert.Equal(["/data/a.dat", "/data/log:1.dat"], test.Targets.Select(target => target.Path));
        Assert.Equal(["data", "log"], test.Targets.Select(target => target.Role));
        var (data, log) = (test.Targets[0].Pattern!, test.Targets[1].Pattern!);
        Assert.Equal(
            (200.0, 30, 2, IoAccessPattern.Random),
            (data.TargetIops!.Value, data.WritePercent, data.ThreadCount, data.AccessPattern)
        );
        Assert.Equal(
            (null, 100, 1, IoAccessPattern.Sequential, 4096L),
            (log.TargetIops, log.WritePercent, log.ThreadCount, log.AccessPattern, log.BlockSize)
        );
    }

    [Theory]
    [InlineData("8k", 8192)]
    [InlineData("8K", 8192)]
    [InlineData("8kb", 8192)]
    [InlineData("8ki", 8000)]
    [InlineData("0x2000", 8192)]
    [InlineData("4096,8k", 4096)]
    public void Sizes_are_parsed_like_fio(string size, long bytes) => Assert.Equal(bytes, ReadSingleTest("bs=" + size).BlockSize);

    [Theory]
    [InlineData("runtime=90", 90_000)]
    [InlineData("runtime=2m", 120_000)]
    [InlineData("runtime=1500ms", 1500)]
    [InlineData("runtime=1h", 3_600_000)]
    public void Times_are_parsed_with_units(string option, double milliseconds) =>
        Assert.Equal(milliseconds, ReadSingleTest(option).Duration.TotalMilliseconds);

    [Theory]
    [InlineData("bssplit=4k/60:64k/40", "4KB:60,64KB:40")]
    [InlineData("rw=randrw\nbssplit=4k/60:64k/40,8k/100", "read 4KB:60,64KB:40 / write 8KB:100")]
    [InlineData("bssplit=4k/50:64k/:32k/", "4KB:50,64KB:25,32KB:25")]
    [InlineData("rw=randrw\nbs=4k,8k", "read 4KB:100 / write 8KB:100")]
    [InlineData("rw=read\nbssplit=4k/60:64k/40", "4KB:60,64KB:40")]
    public void Several_block_sizes_are_a_block_mix(string options, string mix)
    {
        var test = ReadSingleTest(options + "\nioengine=libaio\niodepth=16\nnumjobs=2");

        Assert.Equal(mix, test.BlockMix!.ToString());
        Assert.Equal(
            (16, 2, test.BlockMix.GetLargestSize(), 1),
            (test.OutstandingIO, test.ThreadCount, test.BlockSize, test.Targets.Count)
        );
        SpecificationValidator.Validate(test);
    }

    [Fact]
    public void Random_distributions_and_deduplication_are_parsed()
    {
        Assert.Equal(1.2, ReadSingleTest("random_distribution=zipf:1.2").ZipfTheta);
        Assert.Equal(1.1, ReadSingleTest("random_distribution=zipf").ZipfTheta);
        Assert.Equal(0.3, ReadSingleTest("random_distribution=pareto:0.3").ParetoShare);
        Assert.Equal(25, ReadSingleTest("rw=randwrite\ndedupe_percentage=25").DedupablePercent);
    }

    [Fact]
    public void Clones_without_a_file_name_have_separate_files()
    {
        var test = Assert.Single(ReadText("[job]\nrw=write\nnumjobs=2\nsize=1m\ndirectory=/data\nruntime=1\ntime_based").Specifications);

        Assert.Equal([Path.Combine("/data", "job.0.0"), Path.Combine("/data", "job.1.0")], test.Targets.Select(target => target.Path));
        Assert.Equal((1, 1L << 20), (test.ThreadCount, test.Targets[1].FileSize!.Value));
    }

    [Fact]
    public void Several_files_share_the_size_and_the_threads()
    {
        var test = ReadSingleTest("filename=a.dat:b.dat\nsize=8m\nioengine=libaio\niodepth=4");

        Assert.Equal((true, 4), (test.SharedThreadPool, test.PoolOutstandingIO!.Value));
        Assert.Equal([("a.dat", 4L << 20), ("b.dat", 4L << 20)], test.Targets.Select(target => (target.Path, target.FileSize!.Value)));
    }

    [Fact]
    public void Synchronous_engine_uses_QD1_with_a_note()
    {
        var tests = ReadText("[job]\nrw=read\niodepth=32\nruntime=1\ntime_based\nfilename=a.dat");

        Assert.Equal(1, Assert.Single(tests.Specifications).OutstandingIO);
        Assert.Contains("iodepth=32 has no effect", Assert.Single(tests.Notes));
    }

    [Fact]
    public void Zone_without_a_size_is_the_remainder() =>
        Assert.Equal(
            [(50, 5L), (30, 15L), (20, 80L)],
            ReadSingleTest("random_distribution=zoned:50/5:30/15:20/").Distribution.Select(range => (range.IOPercent, range.TargetPart))
        );

    [Fact]
    public void Clones_read_the_same_blocks_without_offset_increment()
    {
        Assert.Equal(0, ReadSingleTest("rw=read\nnumjobs=4").ThreadStride);
        Assert.Equal(1 << 30, ReadSingleTest("rw=read\nnumjobs=4\noffset_increment=1g").ThreadStride);
        Assert.Equal("IoBench.NotSupported", GetRefusal("offset_increment=1g").ErrorId);
    }

    [Theory]
    [InlineData("rw=trim", "does not support trim")]
    [InlineData("rw=sideways", "rw=sideways is not one of")]
    [InlineData("bsrange=4k-16k", "range")]
    [InlineData("rw=randread:8", "percentage_random")]
    [InlineData("rw=read:-8k", "backward")]
    [InlineData("random_distribution=normal:10", "random_distribution=normal:10")]
    [InlineData("random_distribution=zipf:1.2:0.5", "a center")]
    [InlineData("random_distribution=zipf:x", "is not a number")]
    [InlineData("random_distribution=pareto:0.7", "a value below 0.5")]
    [InlineData("size=50%", "size=50%")]
    [InlineData("ioengine=rados", "ioengine=rados")]
    [InlineData("runtime=soon", "runtime=soon is not a time")]
    [InlineData("numjobs=5000", "1 to 1024")]
    [InlineData("bssplit=4k/60:64k/60", "must add up to 100")]
    [InlineData("cpus_allowed=9-1", "0-3,8")]
    [InlineData(
        "rw=randwrite\nverify=md5\nverify_only",
        "fio would then only verify data from an earlier run, but IoBench would write the data again"
    )]
    [InlineData("rw=write\ncreate_only=1", "only create files")]
    [InlineData("rw=write\nread_iolog=trace.log", "it replays recorded I/O")]
    [InlineData("rw=randrw\nopendir=/data", "Specify each file")]
    [InlineData("rw=write\nfilename_format=$jobname.$jobnum", "it generates the names of the files. Specify each file with filename")]
    [InlineData("rw=write\nreadonly", "readonly does not allow writes, but rw=")]
    public void Options_that_IoBench_cannot_run_are_refused(string options, string words) =>
        Assert.Contains(words, GetRefusal(options).Message);

    [Theory]
    [InlineData("rw=read:-8k", "rw=read:-8k: IoBench does not support backward sequential I/O.")]
    [InlineData(
        "rw=randread:8",
        "rw=randread:8: IoBench does not support several sequential I/Os after each random offset. Use percentage_random, which has a similar effect."
    )]
    [InlineData(
        "bsrange=4k-16k",
        "IoBench does not support a range of block sizes. Use one block size, or several block sizes with percentages (bssplit)."
    )]
    [InlineData(
        "offset_increment=1g",
        "IoBench does not support offset_increment with random I/O, because each clone of the job would have to use a separate range of the file."
    )]
    [InlineData(
        "random_distribution=normal:10",
        "IoBench does not support random_distribution=normal:10. Use zipf, pareto, zoned, or zoned_abs, and use the same distribution for reads and writes."
    )]
    [InlineData(
        "random_distribution=zipf:1.2:0.5",
        "random_distribution=zipf:1.2:0.5: IoBench does not support a center value. IoBench spreads the most frequently used blocks over the whole file."
    )]
    [InlineData("random_distribution=pareto:0.7", "random_distribution=pareto:0.7 is not supported. Use pareto with a value below 0.5.")]
    [InlineData("size=50%", "size=50% is not supported. Use a size in bytes.")]
    [InlineData(
        "ioengine=rados",
        "ioengine=rados is not supported. Use io_uring, libaio, windowsaio, posixaio, psync, a similar engine, or null."
    )]
    [InlineData(
        "filename=\nnrfiles=2\nnumjobs=2",
        "IoBench does not support nrfiles above 1 together with numjobs above 1. Specify the files with filename, or define each clone as a separate job."
    )]
    [InlineData(
        "filename=a.dat:b.dat\n[beside]\nrw=randread\nruntime=1\ntime_based\nfilename=c.dat",
        "IoBench does not support several files in a job that runs concurrently with other jobs. Run the job alone (stonewall), or use one job per file."
    )]
    [InlineData("thinktime=1000\nrate_iops=10", "thinktime and rate_iops cannot be combined in IoBench. Remove one of these options.")]
    [InlineData(
        "opendir=/data",
        "IoBench does not support opendir, because the files in that folder are unknown before the run. Specify each file with filename."
    )]
    public void Refused_option_throws_NotSupported(string options, string words)
    {
        var error = GetRefusal(options);
        Assert.Equal(("IoBench.NotSupported", "fio: job job: " + words), (error.ErrorId, error.Message));
    }

    [Theory]
    [InlineData("rw=read\n[job]", "before the first section")]
    [InlineData("[job]\ninclude other.fio", "IoBench does not support include. Insert the lines of that file instead.")]
    [InlineData("[job]\nfilename=${IOBENCH_NOT_THERE}", "the environment variable IOBENCH_NOT_THERE is not set")]
    [InlineData("[job\nrw=read", "brackets")]
    public void Invalid_job_file_throws(string text, string words) =>
        Assert.Contains(words, Assert.Throws<IoBenchException>(() => ReadText(text)).Message);

    [Fact]
    public void Output_options_have_no_note()
    {
        var tests = ReadText(
            "[job]\nrw=read\nruntime=1\ntime_based\nfilename=a.dat\ngroup_reporting\npercentile_list=50:99\nwrite_lat_log=x\nnorandommap\nthread"
        );
        Assert.Empty(tests.Notes);
    }

    [Theory]
    [InlineData("verify=crc32c\nverify_fatal=1\nverify_backlog=8\ndo_verify=1", true)]
    [InlineData("verify=md5\ndo_verify=0", true)]
    [InlineData("rw=randwrite\nverify=md5", true)]
    [InlineData("rw=randwrite\nverify=md5\nzero_buffers\ndedupe_percentage=50", true)]
    [InlineData("rw=randwrite\nverify=md5\ndo_verify=0", false)]
    [InlineData("rw=randwrite\nverify=null", false)]
    [InlineData("verify=0\nverify_fatal=1", false)]
    [InlineData("do_verify=0", false)]
    [InlineData("readonly", false)]
    public void Fio_verify_options_enable_verification_with_one_note(string options, bool isChecked)
    {
        var tests = ReadText("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options);

        var test = Assert.Single(tests.Specifications);
        Assert.Equal((isChecked, isChecked ? 1 : 0), (test.Verify, tests.Notes.Count));
        Assert.All(tests.Notes, note => Assert.Contains("IoBench uses its own verification instead of verify=", note));
        SpecificationValidator.Validate(test);
    }

    [Theory]
    [InlineData(
        "verify=crc32c",
        "IoBench compares each read with the content that the file had before the test, not with data that fio wrote"
    )]
    [InlineData(
        "rw=write\nverify=crc32c",
        "IoBench compares each read with the expected content, and reads the whole file before and after the test"
    )]
    public void Verification_note_states_what_reads_are_compared_with(string options, string words) =>
        Assert.EndsWith(words, Assert.Single(ReadText("[job]\nrw=randread\nruntime=1\ntime_based\nfilename=a.dat\n" + options).Notes));

    [Theory]
    [InlineData("a.dat", "verify=md5", "b.dat", "", "The verification also applies to the jobs that run concurrently")]
    [InlineData("a.dat", "verify=md5", "b.dat", "zero_buffers", "verify=md5 is ignored, and this test does not verify reads: ")]
    [InlineData("a.dat", "verify=md5", "a.dat", "", "IoBench cannot verify a file that several jobs use concurrently.")]
    [InlineData("a.dat", "verify=md5\nbs=1000", "b.dat", "", "1000 is not.")]
    public void Verification_applies_to_all_jobs_of_a_test_or_none(
        string file,
        string options,
        string otherFile,
        string otherOptions,
        string words
    )
    {
        var tests = ReadText(
            $"[global]\nrw=randwrite\nruntime=1\ntime_based\n[a]\nfilename={file}\n{options}\n[b]\nfilename={otherFile}\n{otherOptions}"
        );

        Assert.Contains(words, Assert.Single(tests.Notes));
        var test = Assert.Single(tests.ThrowIfRefused().Specifications);
        Assert.Equal(words.StartsWith("The verification also applies", StringComparison.Ordinal), test.Verify);
        SpecificationValidator.Validate(test);
    }

    [Fact]
    public void Concurrent_jobs_with_different_runtimes_are_refused() =>
        Assert.Contains(
            "runtime differs from its value in job a",
            Assert.Single(ReadText("[a]\nrw=read\nfilename=a\nruntime=1\n[b]\nrw=read\nfilename=b\nruntime=2").Refused).Message
        );

    [Fact]
    public void Fio_command_line_is_read_together_with_other_tools()
    {
        var tests = CommandLineReader.Read(
            "fio --name='my job' --rw=randread --bs=4k --iodepth 32 --ioengine=io_uring --runtime=2s --time_based --filename=/d/x.dat > out.json\nsqlio -kR -s5 x.dat"
        );

        Assert.Empty(tests.Refused);
        Assert.Equal(2, tests.Specifications.Count);
        var test = tests.Specifications[0];
        Assert.Equal(
            ("my job", 32, "IoUring", "out.json"),
            (test.Label, test.OutstandingIO, test.Backend, test.GetOrAddOrigin().OutputFile)
        );
        Assert.StartsWith("fio --name='my job'", test.GetOrAddOrigin().CommandLine);
    }

    [Fact]
    public void Fio_command_line_can_name_a_job_file_and_sections()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-");
        try
        {
            File.WriteAllText(Path.Combine(folder.FullName, "x.fio"), Example, Encoding.UTF8);
            var tests = CommandLineReader.Read("fio x.fio --section=writes", folder.FullName);
            Assert.Equal("writes", Assert.Single(tests.Specifications).Label);
            Assert.Equal(3, CommandLineReader.ReadFile(Path.Combine(folder.FullName, "x.fio")).Specifications.Count);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("fio --version")]
    [InlineData("fio --rw=read")]
    [InlineData("fio --server")]
    public void Fio_command_line_without_a_test_is_refused(string line) => Assert.Single(CommandLineReader.Read(line).Refused);

    [Fact]
    public void Backends_and_fio_engines_are_converted_both_ways()
    {
        // fio also has an engine for NVMe commands, but it requires the character device and does not verify the contents.
        foreach (var backend in BackendCatalog.All)
            Assert.Equal(
                backend.IsOnRequestOnly ? null : backend.Name,
                FioOptions.FindEngine(backend.Name) is { } engine ? FioOptions.FindBackend(engine) : null
            );
    }
}
