# Every example of the help is run, in a folder with small files and short tests. Drives become folders, sizes of gigabytes megabytes.
BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    # What cannot be run here, and where else it is.
    $notRun = @{
        'Invoke-IoTest: Test shared storage from two hosts' = 'needs other hosts: Session.Tests.ps1 has them'
        'Find-IoLatency: What a filter costs' = 'needs a filter driver: Find-IoLatency.Tests.ps1 has other commands'
        'Find-IoStorage: Disks of Azure' = 'needs snapshots of a server: Find-IoStorage.Tests.ps1 has them'
        'Find-IoStorage: Azure SQL Managed Instance' = 'needs snapshots of a server: Find-IoStorage.Tests.ps1 has them'
        'Find-IoStorage: Your prices' = 'needs snapshots of a server: Find-IoStorage.Tests.ps1 has them'
        'Import-SqlErrorLog: The log folder of SQL Server' = 'needs an error log: Import-SqlErrorLog.Tests.ps1 has one'
        'Import-SqlErrorLog: A report' = 'needs an error log: Import-SqlErrorLog.Tests.ps1 has one'
        'Import-SqlErrorLog: Long I/Os of one night' = 'needs an error log: Import-SqlErrorLog.Tests.ps1 has one'
        'Import-SqlErrorLog: Times of each kind of message' = 'needs an error log: Import-SqlErrorLog.Tests.ps1 has one'
        'Measure-IoCommit: Predict the commit latency of an availability group' = 'needs a replica: the tests of the program have one'
        'New-IoWorkload: Capture 15 minutes with dbatools' = 'needs dbatools: New-IoWorkload.Tests.ps1 has such rows'
        'New-IoWorkload: Take the snapshots and keep them' = 'needs SQL Server: New-IoWorkload.Tests.ps1 has a query'
        'Test-IoResult: Rate the latency that SQL Server observed' = 'needs dbatools: Test-IoResult.Tests.ps1 has such rows'
        'Remove-IoSessionModule: Test hosts, and remove all copies' = 'needs other hosts: Session.Tests.ps1 has them'
        'Remove-IoSessionModule: Show the copies' = 'needs other hosts: Session.Tests.ps1 has them'
        'Remove-IoSessionModule: Remove the copies from the hosts of all open sessions' = 'needs other hosts: Session.Tests.ps1 has them'
        'Test-IoIntegrity: Verify data after a power loss' = 'needs a witness on another computer: the tests of the program have one'
        'Watch-IoFailover: Run until you press a key' = 'needs a keyboard'
    }
    if (-not (Get-Module -ListAvailable ImportExcel)) {
        $notRun['Export-IoReport: Add the report to an open ImportExcel package'] = 'needs the module ImportExcel'
    }
    # The hosts of a fleet are this computer, behind an ssh that runs what other hosts would run, and members need the program.
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, 'iobench')
    $fleetReason = if (-not $IsLinux) { 'needs Linux' } elseif (-not (Test-Path $program)) { "needs $program, which is not built" }
    $examples = foreach ($page in Get-ChildItem (Join-Path $repository 'docs' 'en-US') -Filter '*-*.md') {
        $command = $page.BaseName
        foreach ($match in [regex]::Matches([System.IO.File]::ReadAllText($page.FullName), '(?s)### Example \d+: (?<title>[^\n]+)\n(?<text>.*?)(?=\n### |\n## )')) {
            $code = [regex]::Matches($match.Groups['text'].Value, '(?s)```powershell\n(.*?)```').ForEach({ $_.Groups[1].Value }) -join "`n"
            # A query for SQL Server is not run here.
            if (-not $code) { continue }
            $title = $match.Groups['title'].Value.Trim()
            @{ Command = $command; Title = $title; Code = $code; Reason = $notRun["${command}: $title"] ?? ($command -like '*-IoFleet' ? $fleetReason : $null) }
        }
    }
    $unknown = $notRun.Keys.Where({ $_ -notin $examples.ForEach({ "$($_.Command): $($_.Title)" }) })
    $null = $examples, $unknown
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    . (Join-Path $PSScriptRoot 'FleetExample.ps1')

    # Modules an example speaks of that are not there, and what has no window here.
    function Write-DbaDataTable {
        [CmdletBinding()]
        param([Parameter(ValueFromPipeline)] $InputObject, $SqlInstance, $Database, $Table, [switch] $AutoCreateTable)
        process { $null = $SqlInstance, $Database, $Table, $AutoCreateTable; $InputObject }
    }
    Set-Item -Path Function:Out-GridView -Value { process { $_ } }
    function Get-DbaDbFile {
        param($SqlInstance)
        $null = $SqlInstance
        [pscustomobject]@{ Database = 'Sales'; PhysicalName = Join-Path $folder 'T' 'iobench.dat' }
    }
    function Invoke-DbaQuery {
        param($SqlInstance, $Query)
        $null = $SqlInstance, $Query
        Import-Csv first.csv
    }

    function Get-DbaIoLatency {
        param($SqlInstance)
        $null = $SqlInstance
        # The second call is the later one.
        $script:snapshot = $script:snapshot -eq 'first' ? 'second' : 'first'
        foreach ($row in Import-Csv "$script:snapshot.csv") {
            [pscustomobject]@{
                SqlInstance = 'SQL1'; DatabaseId = $row.database_id; FileId = $row.file_id; NumberOfReads = $row.num_of_reads; IoStallRead = $row.io_stall_read_ms; NumberOfBytesRead = $row.num_of_bytes_read
                NumberOfwrites = $row.num_of_writes; IoStallWrite = $row.io_stall_write_ms; NumberOfBytesWritten = $row.num_of_bytes_written; SampleMilliseconds = $row.sample_ms
            }
        }
    }
    function Test-IoHost {
        # Test-IoHost takes 10 seconds and more: it runs once, and other examples only bind their parameters.
        if ($script:checks) { IoBench\Test-IoHost @args -WhatIf } else { $script:checks = @(IoBench\Test-IoHost @args) }
        $script:checks
    }
    Set-Item -Path Function:Start-Sleep -Value { $null = $args }

    function New-Sweep {
        foreach ($load in 1, 2, 4, 8, 16) {
            $run = New-TestResult -Iops ([math]::Min(4, $load) * 1000)
            $run.OutstandingIO = $run.TotalOutstanding = $load
            $run.AverageLatencyMs = $load / $run.IOPS * 1000
            $run
        }
    }

    function New-ExampleFolder {
        # A folder as those of the examples: drives, results, old output, batch files.
        $root = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid().ToString('N').Substring(0, 8)))).FullName
        foreach ($drive in 'T', 'E', 'F', 'L', 'B', 'D/old', 'D/io/history', 'D/io/results', 'D/runs') { $null = [System.IO.Directory]::CreateDirectory((Join-Path $root $drive)) }
        Push-Location -LiteralPath $root
        $comparison = (New-TestResult -Label OldSan), (New-TestResult -Label NewSan -Iops 24000)
        # -Resume takes only results of this computer.
        foreach ($run in $comparison) { $run.ComputerName = [Environment]::MachineName }
        $comparison | Export-IoResult san.json
        New-TestResult -Iops 9000 | Export-IoResult base.json
        foreach ($name in 'before', 'after', 'today') { New-TestResult | Export-IoResult "$name.json" }
        $nights = foreach ($day in 1..6) {
            $night = New-TestResult -Workload 'log-commit'
            $night.StartTime = [datetimeoffset]::new(2026, 1, $day, 3, 15, 0, [timespan]::Zero)
            $night
        }
        $nights | Export-IoResult night.json
        Copy-Item night.json D/io/results
        New-Sweep | Export-IoResult sweep.json
        New-Sweep | Export-IoResult old.txt -Format Sqlio
        $caps = foreach ($size in 8, 64, 256) {
            foreach ($load in 32, 128) {
                $run = New-TestResult -Iops 4998 -Workload find-cap
                $run.BlockSizeKB = $size
                $run.TotalOutstanding = $load
                $run.AverageLatencyMs = $load / 4998 * 1000
                $run.Timeline.Clear()
                foreach ($second in 1..20) { $run.Timeline.Add([IoBench.Engine.IoTimelinePoint]@{ Seconds = $second; IOPS = 4998 }) }
                $run
            }
        }
        $caps | Export-IoResult cap.json
        foreach ($name in 'reads.txt', 'run1.txt', 'D/old/reads.txt') { Copy-Item -LiteralPath (Join-Path $samples 'documents' 'reads-8k-random-3-files.txt') -Destination $name }
        foreach ($name in 'run.txt', 'D/runs/a.txt') { Copy-Item -LiteralPath (Join-Path $samples 'diskspd-runs' 'v21-Sh.out') -Destination $name }
        Copy-Item -LiteralPath (Join-Path $samples 'diskspd-runs' 'v21-plain-xml.out') -Destination run.xml
        foreach ($name in 'tests.cmd', 'D/old/sqlio-tests.cmd') { Set-Content $name "diskspd -c32M -d1 -W0 -r -t1 -o4 -b8K -Sh $root/T/batch.dat" }
        Set-Content tests.csv 'Path,BlockSize,OutstandingIO', "$root/T/,8KB,1", "$root/T/,64KB,2"
        $header = 'database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms,type_desc'
        Set-Content first.csv $header, '5,1,1000,0,0,0,0,0,0,ROWS', '5,2,1000,0,0,0,0,0,0,LOG'
        Set-Content second.csv $header, '5,1,101000,20000,163840000,240000,0,0,0,ROWS', '5,2,101000,0,0,0,5000,102400000,10000,LOG'
        $events = foreach ($i in 0..1999) { 'file_read_completed,2026-11-28 10:00:{0:00}.{1:00},12,{2},5,1,8192,D:\x.mdf' -f [math]::Floor($i / 100), ($i % 100), ($i * 7919 % 1000 * 8192) }
        Set-Content events.xml (@('name,timestamp,duration,offset,database_id,file_id,size,path') + $events)
        Pop-Location
        $root
    }

    function ConvertTo-Small {
        # The same line on small files and for a short time.
        param([string] $Code, [string] $Root)

        $small = $Code
        foreach ($path in [regex]::Matches($Code, "(?<![\w'])(?<drive>[A-Z]):\\(?<rest>[\w.\\*-]*)") | Sort-Object -Property Index -Descending) {
            $here = "$Root/$($path.Groups['drive'].Value)/$($path.Groups['rest'].Value.Replace('\', '/'))"
            $small = $small.Remove($path.Index, $path.Length).Insert($path.Index, $here)
        }
        $small = $small -replace '\b(\d+)[GT]B\b', '$1MB' -replace '-Workload sql-server -Repeat', '-Workload page-read-qd1, log-commit -Repeat'
        $small -replace '-Minutes 15', '-Minutes 0.1' -replace '-Duration [^\s)]+', '-Duration 0.2'
    }
}

Describe 'The examples of the help' {
    It 'are there: three and more per cmdlet' {
        foreach ($page in Get-ChildItem (Join-Path $repository 'docs' 'en-US') -Filter '*-*.md') {
            [regex]::Matches([System.IO.File]::ReadAllText($page.FullName), '(?m)^### Example ').Count | Should -BeGreaterOrEqual 3 -Because $page.BaseName
        }
    }

    It 'that are not run exist' -ForEach @{ Unknown = $unknown } {
        $Unknown | Should -BeNullOrEmpty -Because 'the list of examples that are not run names examples'
    }

    It '<Command>: <Title>' -ForEach $examples {
        if ($Reason) {
            Set-ItResult -Skipped -Because $Reason
            return
        }
        $folder = New-ExampleFolder
        $PSDefaultParameterValues = @{
            'Invoke-IoTest:Duration' = 0.1; 'Invoke-IoTest:WarmUp' = 0; 'Invoke-IoTest:FileSize' = '32MB'
            'Find-IoCap:Duration' = 0.2; 'Find-IoCap:WarmUp' = 0; 'Find-IoCap:FileSize' = '32MB'; 'Find-IoCap:BlockSize' = '8KB', '64KB'; 'Find-IoCap:OutstandingIO' = 4, 16
            'Test-IoIntegrity:Duration' = 0.2; 'Test-IoIntegrity:FileSize' = '32MB'
            'Watch-IoFailover:Duration' = 0.2; 'Watch-IoFailover:FileSize' = '4MB'
            'Find-IoLatency:Duration' = 0.2; 'Find-IoLatency:FileSize' = '8MB'
            'Measure-IoCommit:Duration' = 0.1; 'Measure-IoCommit:FileSize' = '32MB'
            'Measure-IoLimit:Duration' = 0.2; 'Measure-IoLimit:WarmUp' = 0; 'Measure-IoLimit:FileSize' = '32MB'; 'Measure-IoLimit:MaxProbes' = 8; 'Measure-IoLimit:MaxIops' = 500
            '*-Io*:WarningAction' = 'SilentlyContinue'
        }
        if ($Code -match '\| Find-IoCap') { $PSDefaultParameterValues.Keys.Where({ $_ -like 'Find-IoCap:*' }).ForEach({ $PSDefaultParameterValues.Remove($_) }) }
        Push-Location -LiteralPath $folder
        try {
            # What an example takes for granted.
            $results = Import-IoResult night.json
            if ($Code -match '\$package') {
                Import-Module ImportExcel -WarningAction SilentlyContinue
                $package = [pscustomobject]@{ A = 1 } | Export-Excel book.xlsx -PassThru -WarningAction SilentlyContinue
            }
            if ($Command -eq 'Remove-IoTestFile') { $null = 'T', 'E', 'F' | ForEach-Object { New-IoTestFile $_ -FileSize 1MB } }
            if ($Command -eq 'Export-IoResult') { Remove-Item night.json, old.txt }
            if ($Command -eq 'Import-SqlioResult') { Remove-Item run.txt }
            $setting = if ($Command -like '*-IoFleet') { Enter-FleetExample $folder $Title }
            if ($Command -eq 'Get-IoHistory') { $results | Add-IoHistory D/io/history }
            if ($Code -match 'big\.dat') { $null = New-IoTestFile T/big.dat -FileSize 32MB }
            $before = @(Get-ChildItem -Recurse -File).Count
            $null = $results, $package

            $small = ConvertTo-Small -Code $Code -Root $folder
            if ($setting) { $small = ConvertTo-SmallFleet $small }
            $output = @(. ([scriptblock]::Create($small)) 2>&1)

            $output.Where({ $_ -is [System.Management.Automation.ErrorRecord] }) | Should -BeNullOrEmpty
            # Something came of it: objects, or a file more or less. A look ahead leaves no trace, and a question that is answered well does nothing, nor does one for what is wrong.
            # Nobody knows whether so small a ramp has a knee.
            if ($Code -notmatch '-WhatIf|^if |-EQ Fail|KneeHosts') {
                $output.Count -gt 0 -or @(Get-ChildItem -Recurse -File).Count -ne $before -or $Code -match '\$package' | Should -BeTrue
            }
        } finally {
            if ($setting) { Exit-FleetExample $setting }
            Pop-Location
            Remove-Item -LiteralPath $folder -Recurse -Force
        }
    }
}
