BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Measure-IoLimit' {
    It 'searches with short open-loop runs and keeps all of them' {
        $limit = Measure-IoLimit $TestDrive -MaxLatencyMs 1000 -Backend Null -Duration 0.5 -WarmUp 0 -MaxIops 500 -WarningAction SilentlyContinue
        $limit.Outcome | Should -Be 'AlwaysMet'
        $limit.IOPS | Should -Be 500
        $limit.Probes.Count | Should -BeGreaterThan 1
        $limit.Probes[0].Result | Should -BeOfType IoBench.Engine.IoTestResult
    }

    It 'ends quietly with Ctrl+C and says what it found' {
        $shell = [powershell]::Create()
        $search = {
            param($module, $folder)
            Import-Module $module
            Measure-IoLimit $folder -MaxLatencyMs 1000 -Backend Null -Duration 2 -WarmUp 0 -MaxIops 2000
        }
        $null = $shell.AddScript($search.ToString()).AddArgument((Get-Module IoBench).Path.Replace('.psm1', '.psd1')).AddArgument("$TestDrive")
        $running = $shell.BeginInvoke()
        # Until the first run has ended.
        foreach ($wait in 1..300) {
            if ($shell.Streams.Progress.Count -gt 0 -and ($shell.Streams.Progress | Where-Object { $_.RecordType -eq 'Completed' })) { break }
            Start-Sleep -Milliseconds 100
        }
        $shell.Stop()
        $running.IsCompleted | Should -BeTrue
        $shell.Streams.Error | Should -BeNullOrEmpty
        "$($shell.Streams.Warning)" | Should -BeLike '*The search was stopped after * run*average latency at most 1000 ms*'
        $shell.Dispose()
    }

    It 'runs nothing with -WhatIf' {
        Measure-IoLimit $TestDrive 5 -Backend Null -WhatIf | Should -BeNullOrEmpty
    }

    It 'takes a name with brackets as it is, from the pipeline too' {
        $place = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'disk[1]')).FullName
        $run = @{ MaxLatencyMs = 60000; Duration = 0.1; WarmUp = 0; FileSize = '1MB'; TolerancePercent = 50; MaxProbes = 5; MaxIops = 50 }
        $limits = @(Measure-IoLimit -LiteralPath $place @run) + @(Get-Item -LiteralPath $place | Measure-IoLimit @run)
        $limits.Count | Should -Be 2
        $limits.Path | Should -Be (@(Join-Path $place 'iobench.dat') * 2)
    }

    It 'searches with the settings of the test: <Name>' -ForEach @(
        @{ Name = 'ThreadCount'; Value = 'Auto'; Expected = [System.Math]::Min([System.Environment]::ProcessorCount, 256) }
        @{ Name = 'QD'; Value = 3; Property = 'OutstandingIO'; Expected = 3 }
        @{ Name = 'RandomPercent'; Value = 20; Property = 'AccessPattern'; Expected = 'PartRandom' }
        @{ Name = 'Seed'; Value = 7; Property = 'SeedBase'; Expected = 7 }
        @{ Name = 'Label'; Value = 'A'; Expected = 'A' }
        @{ Name = 'Label'; Value = 'A, B'; Expected = 'A, B' }
    ) {
        $more = @{ $Name = $Value }
        $limit = Measure-IoLimit $TestDrive 60000 -Backend Null -Duration 0.1 -WarmUp 0 -MaxIops 50 -MaxProbes 5 @more
        $limit.Probes[0].Result.Specification | Select-Object -ExpandProperty ($_['Property'] ?? $Name) | Should -Be $Expected
    }

    It 'searches with the settings of a row, and takes nothing of one row to the next' {
        $run = @{ MaxLatencyMs = 60000; Backend = 'Null'; Duration = 0.1; WarmUp = 0; FileSize = '1MB'; MaxIops = 50; MaxProbes = 5 }
        $a, $b = "$TestDrive/row-a.dat", "$TestDrive/row-b.dat"
        $rows = [pscustomobject]@{ Path = $a; BlockSize = '64KB'; QD = 2; Label = 'x' }, @{ LiteralPath = $b; BlockSize = '' }, $a, [pscustomobject]@{ PhysicalName = $b; OutstandingIO = 3; Size = 5 }
        $limits = $rows | Measure-IoLimit @run -WarningVariable said -WarningAction SilentlyContinue
        $limits.Path | Should -Be $a, $b, $a, $b
        $limits.ForEach({ $_.Probes[0].Result }).ForEach({ "$($_.BlockSizeKB) $($_.OutstandingIO) $($_.Label)" }) | Should -Be '64 2 x', '8 8 ', '8 8 ', '8 3 '
        ($rows[0] | Measure-IoLimit @run -BlockSize 16KB).Probes[0].Result.BlockSizeKB | Should -Be 16
        $said -match 'IoBench ignores' | Should -BeNullOrEmpty
    }

    It 'says what it does not take from a row, and goes on after a row that will not do' {
        $run = @{ MaxLatencyMs = 60000; Backend = 'Null'; Duration = 0.1; WarmUp = 0; FileSize = '1MB'; MaxIops = 50; MaxProbes = 5; WarningAction = 'SilentlyContinue' }
        $rows = [pscustomobject]@{ Path = 'a.dat'; TargetIops = 5; BlokSize = '64KB'; Repeat = '' }, [pscustomobject]@{ Path = 'b.dat'; BlockSize = '8KB,64KB' }, [pscustomobject]@{ Path = 'c.dat'; TargetIops = 6 }
        $limits = $rows | Measure-IoLimit @run -WarningVariable said -ErrorVariable problems -ErrorAction SilentlyContinue
        Split-Path -Leaf $limits.Path | Should -Be 'a.dat', 'c.dat'
        $said.ForEach({ "$_" }) -match 'IoBench ignores' | Should -Be 'IoBench ignores TargetIops, because this command does not accept this option as a table column. [IoBench.UnknownSetting]', 'IoBench ignores BlokSize, because a test has no setting with this name. Did you mean BlockSize? [IoBench.UnknownSetting]'
        $problems.FullyQualifiedErrorId | Should -Be "IoBench.OneValue,$(Get-ErrorSource Measure-IoLimit)"
    }

    It 'searches with the test of a result, or of a specification' {
        $run = @{ MaxLatencyMs = 60000; Backend = 'Null'; Duration = 0.1; WarmUp = 0; MaxIops = 50; MaxProbes = 5 }
        $file = "$TestDrive/again.dat"
        $result = Invoke-IoTest $file -Backend Null -Duration 0.1 -WarmUp 0 -FileSize 8MB -BlockSize 64KB -WarningAction SilentlyContinue
        foreach ($test in $result, (New-IoTestSpecification $file -BlockSize 64KB), ($result | ConvertTo-Json -Depth 8 | ConvertFrom-Json)) {
            $limit = $test | Measure-IoLimit @run
            $limit.Path | Should -Be $file
            $limit.Probes[0].Result.BlockSizeKB | Should -Be 64
        }
        (Get-IoWorkload page-read-qd1 | Measure-IoLimit $file @run).Probes[0].Result.Workload | Should -Be 'page-read-qd1'
    }
}
