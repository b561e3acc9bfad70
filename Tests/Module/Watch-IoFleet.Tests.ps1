BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Watch-IoFleet' {
    BeforeAll {
        $env:IOBENCH_JOURNAL = Join-Path $TestDrive 'journal'
        $null = New-Item $env:IOBENCH_JOURNAL -ItemType Directory
    }

    AfterAll {
        $env:IOBENCH_JOURNAL = 'off'
    }

    It 'says that no fleet has run' {
        (Get-ErrorOf { Watch-IoFleet }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NoFleet,*'
        (Get-ErrorOf { Watch-IoFleet night }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NoFleet,*'
        "$(Get-ErrorOf { Watch-IoFleet '' })" | Should -Be "$(Get-ErrorOf { Watch-IoFleet })"
    }

    It 'shows the sum, the lowest and the silent of a fleet, and ends with it' {
        $state = @{
            group = 'night'; time = [datetimeoffset]::Now; hasEnded = $true; hosts = 40; phases = '38 running, 1 armed, 1 failed'; iops = 310412; mBps = 2425
            worst = @(@{ host = 'sql03'; iops = 3980; silentSeconds = 0 }); silent = @(@{ host = 'sql11'; silentSeconds = 40 }); events = @(@{ code = 'IoBench.FleetWaiting'; template = 'waiting for sql11, 40 s' })
        }
        '# IoBench journal 1', ($state | ConvertTo-Json -Depth 4) | Set-Content (Join-Path $env:IOBENCH_JOURNAL 'iobench-journal-fleet-night.json')
        $scene = Watch-IoFleet
        $scene | Should -BeOfType ([IoBench.Application.LiveView])
        $scene.IOPS | Should -Be 310412
        $scene.Worst.Host | Should -Be 'sql03'
        $scene.Text | Should -Match '310,412 IOPS'
        $scene.Text | Should -Match 'silent sql11 40 s'
        $scene.Text | Should -Match 'waiting for sql11, 40 s'
        $scene.Events.Code | Should -Be 'IoBench.FleetWaiting'
        (Watch-IoFleet night -Once).Group | Should -Be 'night'
    }

    It 'follows what members print' {
        $file = Join-Path $TestDrive 'a.jsonl'
        Set-Content $file '{"state":"Hello","member":"a","group":"g"}', '{"state":"Running","member":"a","iops":500}'
        $scene = Get-Item $file | Watch-IoFleet -Once
        $scene.IOPS | Should -Be 500
        $scene.HasEnded | Should -BeFalse
        Add-Content $file '{"state":"End","member":"a"}'
        (Watch-IoFleet -Path $file -Every 0.2s).HasEnded | Should -BeTrue
    }
}
