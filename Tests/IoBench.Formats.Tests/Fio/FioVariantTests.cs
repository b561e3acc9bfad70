using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FioVariantTests
{
    private static readonly string s_json = File.ReadAllText(Samples.Path("fio", "read-psync.json"));

    private static List<IoTestResult> Read(string text) => Read(Encoding.UTF8.GetBytes(text));

    private static List<IoTestResult> Read(byte[] bytes) => [.. FioReader.Read(new MemoryStream(bytes), "x")];

    /// <summary>
    /// JSON as fio 2.1 prints it: microseconds, KiB named bytes, no counts, no options, and zeros that fill the percentiles.
    /// </summary>
    private const string Old = """
        fio: this platform does not support process shared mutexes, forcing use of threads. Use the 'thread' option to get rid of this warning.
        {
          "fio version" : "fio-2.1.3",
          "jobs" : [
            {
              "jobname" : "old",
              "groupid" : 0,
              "error" : 0,
              "read" : {
                "io_bytes" : 81920,
                "bw" : 8192,
                "iops" : 1024,
                "runtime" : 10000,
                "slat" : { "min" : 1, "max" : 90, "mean" : 4.00, "stddev" : 1.00 },
                "clat" : { "min" : 10, "max" : 2000, "mean" : 96.00, "stddev" : 20.00,
                  "percentile" : { "50.000000" : 90, "99.000000" : 300, "99.900000" : 1100, "0.00" : 0, "0.00" : 0 } },
                "lat" : { "min" : 12, "max" : 2010, "mean" : 100.00, "stddev" : 21.00 },
                "bw_min" : 0, "bw_max" : 0, "bw_agg" : nan, "bw_mean" : -nan, "bw_dev" : inf
              },
              "write" : { "io_bytes" : 0, "bw" : 0, "iops" : 0, "runtime" : 0,
                "slat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 },
                "clat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00, "percentile" : { "50.000000" : 0, "99.000000" : 0, "0.00" : 0 } },
                "lat" : { "min" : 0, "max" : 0, "mean" : 0.00, "stddev" : 0.00 } },
              "usr_cpu" : 1.50,
              "sys_cpu" : 4.50,
              "latency_us" : { "2" : 0.00, "100" : 60.00, "250" : 39.00 },
              "latency_ms" : { "2" : 1.00, ">=2000" : 0.00 },
              "total_err" : 3,
              "total_err" : 5
            }
          ]
        }
        fio: done, with a line behind it
        """;

    [Fact]
    public void Fio_2_has_microseconds_and_kilobytes()
    {
        var result = Assert.Single(Read(Old));

        Assert.Equal(
            (FioFormat.Source, IoResultStatus.Complete, "2.1.3", "old"),
            (result.Source, result.Status, result.ToolVersion, result.Label)
        );
        Assert.Equal((1024.0, 8.0, 10.0, 81920L * 1024), (result.IOPS, result.BandwidthMBps, result.DurationSeconds, result.ByteCount));
        Assert.Equal(
            (0.1, 0.012, 2.01, 0.021),
            (result.AverageLatencyMs, result.MinLatencyMs, result.MaxLatencyMs, result.LatencyStdDevMs)
        );
        Assert.Equal((0.09, 0.3, 1.1, 0.3), (result.P50Ms, result.P99Ms, result.P999Ms, result.ReadP99Ms));
        Assert.Equal([50, 99, 99.9], result.Percentiles.Select(p => p.Percent));
        Assert.Equal((null, null, null), (result.WriteAverageLatencyMs, result.WriteP99Ms, result.IOCount));
        Assert.Equal((null, null, null, null), (result.ThreadCount, result.Buffering, result.LoadModel, result.AccessPattern));
        Assert.Equal(
            (IoOperation.Read, "clat", "lat"),
            (result.Operation, result.ToolDetails["percentiles of"], result.ToolDetails["latency of"])
        );
        Assert.Equal(
            [(0.05, 0.1, 60.0), (0.1, 0.25, 39.0), (1, 2, 1)],
            result.Histogram!.Buckets.Select(b => (b.FromMs, b.ToMs!.Value, b.Percent))
        );
        Assert.Contains("3 I/Os failed, the first with error 5 (input/output error)", Assert.Single(result.Warnings));
    }

    private const string OldText = """
        seq: (g=0): rw=rw, bs=64K-64K/64K-64K/64K-64K, ioengine=libaio, iodepth=4
        fio-2.1.11
        Starting 1 process

        seq: (groupid=0, jobs=1): err= 0: pid=1234: Mon Mar  2 10:00:00 2015
          read : io=625.00MB, bw=64000KB/s, iops=1000, runt= 10000msec
            slat (usec): min=3, max=40, avg= 5.00, stdev= 1.00
            clat (msec): min=1, max=30, avg= 2.00, stdev= 0.50
             lat (msec): min=1, max=30, avg= 2.01, stdev= 0.50
            clat percentiles (usec):
             |  1.00th=[ 1004],  5.00th=[ 1100], 50.00th=[ 1900], 99.00th=[ 9000],
             | 99.99th=[29000]
            bw (KB  /s): min=60000, max=70000, per=100.00%, avg=64000.00, stdev=100.00
          write: io=1250.0MB, bw=128000KB/s, iops=2000, runt= 10000msec
            slat (usec): min=4, max=50, avg= 6.00, stdev= 1.00
            clat (usec): min=200, max=2100.5K, avg=500.00, stdev=50.00
             lat (usec): min=210, max=2100.5K, avg=506.00, stdev=50.00
            lat (usec) : 4=0.01%, 10=0.01%, 250=20.00%, 500=30.00%
            lat (msec) : 2=20.00%, 4=29.00%, 10=1.00%
          cpu          : usr=1.00%, sys=2.00%, ctx=100, majf=0, minf=7
          IO depths    : 1=0.1%, 2=0.1%, 4=99.9%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
             submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
             complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
             issued    : total=r=10000/w=20000/d=0, short=r=0/w=0/d=0

        Run status group 0 (all jobs):
           READ: io=625.00MB, aggrb=64000KB/s, minb=64000KB/s, maxb=64000KB/s, mint=10000msec, maxt=10000msec

        Disk stats (read/write):
          sda: ios=10000/20000, merge=0/0, ticks=1/1, in_queue=2, util=99.00%
        """;

    [Fact]
    public void Text_of_fio_2()
    {
        var result = Assert.Single(Read(OldText));

        Assert.Equal(
            ("2.1.11", 30000L, 3000.0, 1000.0, 2000.0),
            (result.ToolVersion, result.IOCount, result.IOPS, result.ReadIOPS, result.WriteIOPS)
        );
        Assert.Equal((62.5, 125.0, 187.5), (result.ReadMBps, result.WriteMBps, result.BandwidthMBps));
        Assert.Equal((2.01, 0.506, 0.21), (result.ReadAverageLatencyMs, result.WriteAverageLatencyMs, result.MinLatencyMs));
        Assert.Equal((30.0, 2100.5), (result.Totals!.Read.MaxLatencyMs, result.MaxLatencyMs));
        Assert.Equal((2.01 * 10000 + 0.506 * 20000) / 30000, result.AverageLatencyMs!.Value, 9);
        Assert.Equal((9.0, null, null), (result.ReadP99Ms, result.WriteP99Ms, result.P99Ms));
        Assert.Equal(
            (64.0, 4, IoOperation.Mixed, "libaio", "sda"),
            (result.BlockSizeKB, result.OutstandingIO, result.Operation, result.Backend, result.Device)
        );
    }

    [Fact]
    public void Lines_around_and_between_documents_are_passed_over()
    {
        var text =
            "$ fio --output-format=json x.fio\nnote: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1\n"
            + s_json
            + "\ndone at 10:00\n"
            + s_json
            + "trailing text";
        var results = Read(text);

        Assert.Equal(2, results.Count);
        Assert.Equal(results[0].IOPS, results[1].IOPS);
        Assert.All(results, r => Assert.Empty(r.Warnings));
        Assert.True(results[1].SourceLine > results[0].SourceLine);
    }

    [Fact]
    public void Documents_may_stand_in_a_list_or_in_another_document_or_on_one_line()
    {
        var iops = Read(s_json)[0].IOPS;
        var small = string.Join(' ', s_json.Split('\n', StringSplitOptions.TrimEntries));
        foreach (
            var text in (string[])
                [
                    "[\n" + s_json + ",\n" + s_json + "]\n",
                    $"[{small},{small}]",
                    "{\"night\":1,\"runs\":[" + small + "," + small + "],\"end\":true}",
                    small + "\n" + small,
                ]
        )
            Assert.Equal([iops, iops], Read(text).Select(r => r.IOPS));
    }

    [Fact]
    public void What_PowerShell_redirected_is_UTF_16() =>
        Assert.Equal(
            Read(s_json)[0].IOPS,
            Assert.Single(Read([.. Encoding.Unicode.GetPreamble(), .. Encoding.Unicode.GetBytes(s_json.ReplaceLineEndings("\r\n"))])).IOPS
        );

    [Fact]
    public void A_document_that_is_cut_off_keeps_what_it_says()
    {
        var groups = File.ReadAllText(Samples.Path("fio", "groups.json"));
        var whole = Read(groups);
        var results = Read(groups[..(groups.IndexOf("\"backup\"", StringComparison.Ordinal) + 1500)]);

        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Complete, IoResultStatus.Incomplete], results.Select(r => r.Status));
        Assert.Equal(whole[1].WriteP99Ms, results[1].WriteP99Ms);
        Assert.Contains("the text ends within this job", Assert.Single(results[2].Warnings));
    }

    [Theory]
    [InlineData("\"runtime\"")]
    [InlineData("\"iops\" : ")]
    [InlineData("\"lat_ns\" : {")]
    [InlineData("\"write\" : {\n")]
    public void A_document_behind_one_that_was_cut_off_is_read(string lastWords)
    {
        var cut = s_json[..(s_json.IndexOf(lastWords, StringComparison.Ordinal) + lastWords.Length)];
        var results = Read(cut + "\n" + s_json);

        Assert.Equal([IoResultStatus.Incomplete, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Equal(Read(s_json)[0].IOPS, results[1].IOPS);
    }

    [Fact]
    public void A_line_of_another_program_within_a_document_is_a_note()
    {
        var results = Read(s_json.Replace("      \"usr_cpu\"", "fio: watch out\n      \"usr_cpu\"", StringComparison.Ordinal));

        Assert.Contains("not understood", Assert.Single(Assert.Single(results).Warnings));
        Assert.Equal(Read(s_json)[0].CpuUsPerIO, results[0].CpuUsPerIO);
    }

    [Fact]
    public void Runs_one_behind_the_other_are_runs_and_outputs_of_one_run_are_one()
    {
        Assert.Contains(
            "4 outputs of this run",
            Assert.Single(Assert.Single(Read(File.ReadAllText(Samples.Path("fio", "status.json")))).Warnings)
        );
        Assert.Equal(2, Read(File.ReadAllText(Samples.Path("fio", "appended.json"))).Count);
        // The last two outputs can be of the same second. Outputs of a run that lasted longer than the time between them are one run.
        Assert.Single(Read(s_json + Later(s_json)));
        var seconds = s_json.Replace("timestamp_ms", "x", StringComparison.Ordinal);
        Assert.Single(Read(seconds + Later(seconds)));
        var brief = seconds.Replace(" : 1001,", " : 900,", StringComparison.Ordinal);
        Assert.Equal(2, Read(brief + brief.Replace(" : 900,", " : 901,", StringComparison.Ordinal)).Count);
        Assert.Equal(2, Read(s_json + s_json).Count);
        // The same run, started again two seconds later.
        var again = s_json
            .Replace("\"timestamp\" : 1", "\"timestamp\" : 2", StringComparison.Ordinal)
            .Replace("\"timestamp_ms\" : 1", "\"timestamp_ms\" : 2", StringComparison.Ordinal);
        Assert.Equal(2, Read(s_json + again).Count);

        static string Later(string json) => json.Replace(" : 1001,", " : 1002,", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(6, true)]
    [InlineData(5, false)]
    public void Bins_of_early_fio_2_are_named_by_their_number(int bits, bool areFios)
    {
        // The 129th bucket is the second one with a width of 2 µs and starts at 130 µs.
        var bins = $$"""
            , "bins" : { "0" : 0, "96" : 5, "129" : 95, "130" : 0, "FIO_IO_U_PLAT_BITS" : {{bits}}, "FIO_IO_U_PLAT_VAL" : 64, "FIO_IO_U_PLAT_NR" : 1216 }
            """;
        var text = Old.Replace(
            "\"99.000000\" : 300, \"99.900000\" : 1100, \"0.00\" : 0, \"0.00\" : 0 }",
            "\"99.000000\" : 132 } " + bins,
            StringComparison.Ordinal
        );

        var histogram = Assert.Single(Read(text)).Histogram!;

        if (!areFios)
            Assert.Equal("fio", histogram.Kind);
        else
            Assert.Equal(
                [(0.096, 0.097, 5), (0.130, 0.132, 95)],
                histogram.Buckets.Select(bucket => (bucket.FromMs, bucket.ToMs!.Value, (int)bucket.ReadCount!))
            );
    }

    [Fact]
    public void Outputs_of_the_text_while_it_ran_are_one()
    {
        var block = OldText[OldText.IndexOf("seq: (groupid", StringComparison.Ordinal)..];
        var later = block.Replace("runt= 10000msec", "runt= 20000msec", StringComparison.Ordinal);

        var result = Assert.Single(Read(OldText + "\n" + block + "\n" + later));

        Assert.Equal(20, result.DurationSeconds);
        Assert.Contains("3 outputs of this run", Assert.Single(result.Warnings));
        Assert.Equal("Mon Mar  2 10:00:00 2015", result.ToolDetails!["time"]);
        // Another process ID is another job, and a job that is announced again is another run.
        Assert.Equal(2, Read(OldText + "\n" + later.Replace("pid=", "pid=9", StringComparison.Ordinal)).Count);
        Assert.Equal(2, Read(OldText + "\n" + OldText).Count);
    }

    [Fact]
    public void Terse_2_with_reads_and_writes_as_one_has_one_direction()
    {
        var latency = "1;30;10.5;2.5;";
        var line =
            "2;uni;0;0;2048;2048;512;1000;"
            + latency
            + latency
            + string.Concat(Enumerable.Repeat("50.000000%=9;", 20))
            + latency
            + "0;0;0.0%;0;0;0.0%;0.0%;0;0;12;"
            + string.Concat(Enumerable.Repeat("0.0%;", 7))
            + string.Join(';', Enumerable.Repeat("0.00%", 22));

        var result = Assert.Single(Read(line));

        Assert.Equal(("uni", 512.0, 2.0, 0.0105), (result.Label, result.IOPS, result.BandwidthMBps, result.AverageLatencyMs));
    }

    [Fact]
    public void All_forms_of_a_run_are_one_result_per_job()
    {
        var results = Read(File.ReadAllText(Samples.Path("fio", "both-forms.out")));

        Assert.Equal(2, results.Count);
        // JSON has the most values. Text of another run after it is a separate result.
        Assert.All(results, r => Assert.NotNull(r.ByteCount));
        Assert.Equal(
            3,
            Read(File.ReadAllText(Samples.Path("fio", "both-forms.out")) + File.ReadAllText(Samples.Path("fio", "normal-nsec.txt"))).Count
        );
    }

    [Fact]
    public void An_error_has_fios_words()
    {
        var failed = Assert.Single(Read(File.ReadAllText(Samples.Path("fio", "error-full.json"))));
        Assert.Equal((IoResultStatus.Failed, "IoBench.FioFailed"), (failed.Status, failed.ErrorId));
        Assert.Equal("fio's job ended with error 28 (No space left on device).", failed.ErrorMessage);

        var bare = Assert.Single(Read(s_json.Replace("\"error\" : 0", "\"error\" : 5", StringComparison.Ordinal)));
        Assert.Equal("fio's job ended with error 5 (input/output error).", bare.ErrorMessage);
        Assert.Equal(IoResultStatus.Cancelled, Assert.Single(Read(File.ReadAllText(Samples.Path("fio", "interrupted.json")))).Status);
    }

    [Fact]
    public void A_group_of_more_jobs_than_its_first_has_no_count_of_threads()
    {
        var result = Assert.Single(Read(s_json.Replace("\"job_runtime\" : 10", "\"job_runtime\" : 50", StringComparison.Ordinal)));

        Assert.Equal((null, null), (result.ThreadCount, result.TotalOutstanding));
        Assert.Contains("a group with more jobs", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Bins_that_are_not_where_fios_are_make_no_histogram()
    {
        var plus = File.ReadAllText(Samples.Path("fio", "unified.json"));
        Assert.Equal("measured", Assert.Single(Read(plus)).Histogram!.Kind);
        var at = plus.IndexOf("\"bins\" : {", StringComparison.Ordinal) + 10;
        Assert.Equal("fio", Assert.Single(Read(plus[..at] + "\"1001\" : 3," + plus[at..])).Histogram!.Kind);
    }

    [Theory]
    [InlineData("8k", 8)]
    [InlineData("8192", 8)]
    [InlineData("8KB", 8)]
    [InlineData("1M", 1024)]
    [InlineData("64ki", 62.5)]
    [InlineData("4k,16k", 4)]
    [InlineData("0x2000", 8)]
    [InlineData(",16k", 4)]
    public void Sizes_are_fios(string size, double kilobytes) =>
        Assert.Equal(
            kilobytes,
            Assert.Single(Read(s_json.Replace("\"bs\" : \"8k\"", $"\"bs\" : \"{size}\"", StringComparison.Ordinal))).BlockSizeKB
        );

    [Fact]
    public void Client_and_server_say_the_host()
    {
        var text = s_json
            .Replace("\"jobs\" : [", "\"client_stats\" : [", StringComparison.Ordinal)
            .Replace("\"usr_cpu\"", "\"hostname\" : \"db1\", \"port\" : 8765, \"usr_cpu\"", StringComparison.Ordinal);
        Assert.Equal("db1", Assert.Single(Read(text)).ComputerName);
    }

    [Theory]
    [InlineData("{\n  \"fio version\" : \"fio-3.33\",\n  \"time\" : \"x\"\n}\n", "IoBench.NoResults")]
    [InlineData("x: (g=0): rw=randread, bs=(R) 8192B-8192B, ioengine=psync, iodepth=1\nfio-3.33\n", "IoBench.NoResults")]
    [InlineData("{ \"name\" : 1 }\n", "IoBench.UnknownFormat")]
    [InlineData("Dear diary,\n", "IoBench.UnknownFormat")]
    public void Without_results_there_is_one_clear_line(string text, string id)
    {
        var error = Assert.Throws<IoBenchException>(() => Read(text));
        Assert.Equal(id, error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Long_documents_are_read_in_bounded_memory_and_their_clones_are_one_thread_each()
    {
        var job = s_json[s_json.IndexOf("    {\n", StringComparison.Ordinal)..(s_json.IndexOf("\n    }\n", StringComparison.Ordinal) + 6)]
            .Replace("\"bs\" : \"8k\"", "\"bs\" : \"8k\", \"numjobs\" : \"401\"", StringComparison.Ordinal);
        var text =
            "{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n" + string.Join(",\n", Enumerable.Repeat(job, 401)) + "\n  ]\n}\n";
        var results = Read(text);

        Assert.Equal(401, results.Count);
        Assert.All(results, r => Assert.Equal(1, r.ThreadCount));
    }

    [Theory]
    [InlineData("\uFEFF")]
    [InlineData("note: both iodepth >= 1 and synchronous I/O engine are selected\n\uFEFF")]
    [InlineData(">")]
    [InlineData("[\n")]
    public void What_stands_before_a_document_does_not_hide_it(string before) =>
        Assert.Single(
            FioReader.Read(
                new MemoryStream(Encoding.UTF8.GetBytes(before + File.ReadAllText(Samples.Path("fio", "write-dsync.json")))),
                "x"
            )
        );

    [Theory]
    [InlineData(
        "fio: pid=8281, err=84/file:io_u.c:2141, func=io_u_queued_complete, error=Invalid or incomplete multibyte or wide character\n"
    )]
    [InlineData("sha256: verify failed at file x.0.0 offset 668, length 32768\n")]
    [InlineData("verify: bad header numberio 3932, wanted 0 at file x offset 229\n")]
    public void Words_of_fio_without_figures_are_the_reason(string text)
    {
        Assert.True(FioReader.LooksLike(text));
        var error = Assert.Throws<IoBenchException>(() => FioReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x").ToList());
        Assert.Equal(
            ("IoBench.NoResults", $"'x' ends before the figures of any job: fio said '{text.Trim()}'."),
            (error.ErrorId, error.Message)
        );
    }

    [Theory]
    [InlineData("rw=randread bs=4k", 100, 409600, 100, 1)]
    [InlineData("rw=randread bs=8k", 100, 409600, 100, null)]
    [InlineData("rw=randwrite bs=4k", 100, 409600, 100, null)]
    [InlineData("rw=randwrite bs=4k verify=md5", 100, 409600, 100, 1)]
    [InlineData("rw=randread bs=4k", 100, 409600, 105, null)]
    public void A_group_that_did_what_its_known_job_does_not_has_no_number_of_threads(
        string options,
        int count,
        int bytes,
        int sumOfRuntimes,
        int? threads
    )
    {
        var own = string.Join(
            ",",
            options.Split(' ').Select(option => option.Split('=')).Select(option => $"\"{option[0]}\":\"{option[1]}\"")
        );
        var result = Assert.Single(
            Read(
                $$"""
                { "fio version" : "fio-3.33", "jobs" : [ { "jobname" : "a", "error" : 0, "job options" : { {{own}},"group_reporting":"1" }, "job_runtime" : {{sumOfRuntimes}},
                  "read" : { "io_bytes" : {{bytes}}, "io_kbytes" : {{bytes
                    / 1024}}, "total_ios" : {{count}}, "runtime" : 100, "iops" : 1000, "bw_bytes" : 4096000 } } ] }
                """
            )
        );
        Assert.Equal(threads, result.ThreadCount);
        Assert.Equal(
            threads is null,
            result.Warnings.Exists(warning => warning.Contains("more jobs than the one whose options are known", StringComparison.Ordinal))
        );
    }
}
